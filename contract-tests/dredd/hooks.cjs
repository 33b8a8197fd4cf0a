// Dredd passes its hooks only to CommonJS files that it loads itself, under this name.
const { register } = require("./hooks.ts");

register(module.require("hooks"));

// Dredd passes its hooks only to CommonJS files that it loads itself, under this name.
const { register } = require("./hooks.ts");

const dredd = /** @type {NodeJS.Module} */ (/** @type {unknown} */ (module));
register(dredd.require("hooks"));

// `npm run generate`: writes generated/ from spec/.
import { join } from "node:path";
import { generate } from "../spec/tools/generate.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";

await generate(join(import.meta.dirname, "../generated"));
console.log(`Generated: ${interfaceNames().join(", ")}.`);

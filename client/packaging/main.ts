// `npm run pack:client -- FOLDER`: makes the package, ready for `npm publish`, in a new folder.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildPackage } from "./build-package.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined || existsSync(folder)) {
  console.error("Name a folder that is not there yet.");
  process.exitCode = 1;
} else {
  await buildPackage(resolve(folder));
  console.log(`The package is in ${resolve(folder)}.`);
}

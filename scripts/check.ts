import { printCheck, runChecks } from "./checks/run-checks.ts";

const results = await runChecks(printCheck);
const failed = results.filter((result) => !result.passed);
if (failed.length > 0) {
  console.log(`${failed.length} of ${results.length} checks failed.`);
  process.exitCode = 1;
}

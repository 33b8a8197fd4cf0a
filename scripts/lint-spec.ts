// `npm run spec:check`: everything in spec/ that breaks a rule, with its line and how to correct it.

import { interfaceNames } from "../spec/tools/interface-names.ts";
import { describeProblem, findProblems } from "../spec/tools/lint.ts";

try {
  const problems = await findProblems();
  for (const problem of problems) console.error(`${describeProblem(problem)}\n`);
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  if (problems.length > 0) console.error(`${count} in spec/.`);
  else console.log(`spec/ keeps all rules: ${interfaceNames().join(", ")}.`);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

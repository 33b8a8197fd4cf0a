// Run as a program, it prints the classes of errors whose answers are not tried over HTTP, and fails when there are any.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DOMAIN_ERRORS, NOT_THROWN_AT_CALLERS } from "./domain-errors.ts";

const root = resolve(import.meta.dirname, "../..");

/** What is wrong with the list of errors: classes of the service that it lacks, and names of none. */
export function faultsOfErrorList(): string[] {
  const listed = new Set([...DOMAIN_ERRORS.map(({ thrown }) => thrown.name), ...NOT_THROWN_AT_CALLERS]);
  const classes = globSync("server/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), "utf8").matchAll(
          /^export class (\w+) extends (?:DomainError|ServiceUnavailableError|InvalidInputError)/gm,
        ),
      ].map(([, name = ""]) => ({ name, file })),
    );
  return [
    ...classes
      .filter(({ name }) => !listed.has(name))
      .map(
        ({ name, file }) =>
          `${file}: put one ${name} into contract-tests/error-codes/domain-errors.ts, so that its answers are tried.`,
      ),
    ...[...listed]
      .filter((name) => !classes.some((it) => it.name === name))
      .map((name) => `contract-tests/error-codes/domain-errors.ts: the service has no ${name} any more.`),
  ];
}

if (import.meta.main) {
  const faults = faultsOfErrorList();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

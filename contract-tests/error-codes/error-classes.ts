// Run as a program, it prints the classes of errors whose answers are not tried over HTTP, and fails when there are any.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { interfaceNames } from "../../spec/tools/interface-names.ts";
import { MET_EVERYWHERE, NOT_THROWN_AT_CALLERS } from "./domain-errors.ts";
import { errorsOf } from "./interface-errors.ts";

const root = resolve(import.meta.dirname, "../..");

/** What is wrong with the lists of errors: classes of the service that they lack, and names of none. */
export async function faultsOfErrorLists(): Promise<string[]> {
  const ofInterfaces = await Promise.all(interfaceNames().map(errorsOf));
  const met = [...MET_EVERYWHERE, ...ofInterfaces.flatMap(({ met }) => met.map(({ thrown }) => thrown))];
  const listed = new Set([...met.map(({ name }) => name), ...NOT_THROWN_AT_CALLERS]);
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
          `${file}: put one ${name} into contract-tests/interfaces/<name>/errors.ts, so that its answers are tried.`,
      ),
    ...[...listed]
      .filter((name) => !classes.some((it) => it.name === name))
      .map((name) => `contract-tests: the service has no ${name} any more, and a list of errors has.`),
  ];
}

if (import.meta.main) {
  const faults = await faultsOfErrorLists();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

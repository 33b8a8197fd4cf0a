import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject, type ProjectCopy } from "./self-test/project-copy.ts";

// An interface is a folder in spec/: what follows from its document comes by itself.

const NAME = "guestbook";

let copy: ProjectCopy;
beforeAll(async () => {
  copy = copyProject();
  cpSync(join(import.meta.dirname, "made-up-interface/spec"), join(copy.folder, "spec", NAME), {
    recursive: true,
  });
  await pass("scripts/generate.ts");
});
afterAll(() => copy.remove());

/** Runs a program of the copy, which must succeed. @returns what it printed. */
async function pass(...command: string[]): Promise<string> {
  const { passed, output } = await copy.run(command);
  expect(passed, output).toBe(true);
  return output;
}

const generated = (file: string) => readFileSync(join(copy.folder, "generated", NAME, file), "utf8");

/** The errors of the compiler in a program beside the generated files. */
async function errorsIn(program: string): Promise<string> {
  writeFileSync(join(copy.folder, "generated", NAME, "program.ts"), program);
  const config = { extends: "../../tsconfig.json", include: ["program.ts"] };
  writeFileSync(join(copy.folder, "generated", NAME, "tsconfig.json"), JSON.stringify(config));
  const { output } = await copy.run(["node_modules/typescript/bin/tsc", "-p", `generated/${NAME}`]);
  return output;
}

test("its document keeps the rules, and may not take the port of another mock", async () => {
  expect(await pass("scripts/lint-spec.ts")).toContain(NAME);
  const taken = {
    name: "the port of another mock",
    file: `spec/${NAME}/openapi.yaml`,
    find: "x-mock-port: 4099",
    replace: "x-mock-port: 4010",
  };
  const { passed, output } = await copy.withFault(taken, () => copy.run(["scripts/lint-spec.ts"]));
  expect(passed).toBe(false);
  expect(output).toMatch(
    /^spec\/\w+\/openapi\.yaml:\d+:1 {2}The mock of spec\/.* has the port 4010 already/m,
  );
});

test("it gets types, the statuses of its error codes, and both documents", async () => {
  for (const file of ["openapi.json", "openapi-3.0.json"]) expect(JSON.parse(generated(file))).toBeTruthy();
  const program = (fields: string, status: number) => `
    import { ERROR_STATUSES } from "./errors.ts";
    import type { components, operations } from "./types.ts";
    export const entry: components["schemas"]["Entry"] = { ${fields} };
    export const made: keyof operations["putEntry"]["responses"] = 201;
    export const table: operations["exportEntries"]["responses"][200]["content"]["text/csv"] = "id";
    export const status: ${status} = ERROR_STATUSES.not_found;
  `;
  expect(await errorsIn(program('id: "a", name: "b", text: "c"', 404))).toBe("");
  const errors = await errorsIn(program('id: "a", name: 1, text: "c"', 410));
  expect(errors).toContain("Type 'number' is not assignable to type 'string'");
  expect(errors).toContain("Type '404' is not assignable to type '410'");
});

test("an error code of it has one status", async () => {
  const twice = {
    name: "a code with two statuses",
    file: `spec/${NAME}/openapi.yaml`,
    find: "enum: [not_found]",
    replace: "enum: [not_found, unauthorized]",
  };
  const { passed, output } = await copy.withFault(twice, () => copy.run(["scripts/generate.ts"]));
  expect(passed).toBe(false);
  expect(output).toContain(
    `spec/${NAME}: The error code unauthorized must have one status, and has several: GET`,
  );
});

test("the mock gives every example, and the tests of all interfaces are its tests as well", async () => {
  const files = [
    "contract-tests/prism/prism.test.ts",
    "contract-tests/examples.test.ts",
    "contract-tests/fuzz/values.test.ts",
    "contract-tests/change/find-changes.test.ts",
  ];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config=server/testing/vitest/vitest.config.ts"];
  const output = await pass(...vitest, "--reporter=verbose", ...files, "--testNamePattern", NAME);
  for (const name of [
    "answers listEntries 200 entries",
    "answers putEntry 201 made",
    "answers exportEntries 200 table",
    "answers deleteEntry 204",
    "asks for a key at deleteEntry",
    "takes a key for getAccount as cookie",
    "a body of guestbook putEntry that the contract does not allow",
    "guestbook getEntry 404 has an example of every error code that it allows",
    "the schemas of guestbook > EntryText: values fit, and violations do not",
    "the document of guestbook has no changes against itself",
  ])
    expect(output).toMatch(new RegExp(`✓ .*${name}`));
});

test("its documentation is rendered and listed", async () => {
  await pass("scripts/docs.ts", "--output", "pages");
  expect(readFileSync(join(copy.folder, "pages/index.html"), "utf8")).toContain(`href="${NAME}.html"`);
  expect(existsSync(join(copy.folder, "pages", `${NAME}.html`))).toBe(true);
});

test("change control knows that it is new, and what breaks its callers from then on", async () => {
  expect(await pass("scripts/contract-diff.ts")).toContain(`The interface ${NAME} is new`);
  copy.commit("The guestbook");
  const broken = {
    name: "a field goes",
    file: `spec/${NAME}/openapi.yaml`,
    find: "required: [entries]",
    replace: "required: []",
  };
  const { passed, output } = await copy.withFault(broken, () =>
    copy.run(["scripts/contract-diff.ts", "--base", "HEAD"]),
  );
  expect(passed).toBe(false);
  expect(output).toContain(`Set info.version in spec/${NAME}/openapi.yaml to 2.0.0`);
});

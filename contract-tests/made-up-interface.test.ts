import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../server/testing/database/test-database.ts";
import { startServerProcess } from "../server/testing/server-process.ts";
import { openTestServicesOn } from "../server/testing/test-shop.ts";
import type { Replacement } from "./self-test/planted-faults.ts";
import { copyProject, type Outcome, type ProjectCopy } from "./self-test/project-copy.ts";

// An interface is a folder in spec/, one in server/interfaces/, a line in its list, and one in contract-tests/interfaces/
// for what its document does not say: everything else comes by itself. The made-up one is put into a copy of the project,
// where the commands and the gate are run as they are.

const NAME = "guestbook";
const LIST = "server/interfaces/interfaces.ts";
const FOLDERS = {
  spec: `spec/${NAME}`,
  server: `server/interfaces/${NAME}`,
  "contract-tests": `contract-tests/interfaces/${NAME}`,
};
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--config=server/testing/vitest/vitest.config.ts"];

let copy: ProjectCopy;
beforeAll(async () => {
  copy = copyProject();
  for (const [from, to] of Object.entries(FOLDERS)) {
    const source = join(import.meta.dirname, "made-up-interface", from);
    cpSync(source, join(copy.folder, to), { recursive: true });
  }
  addToList();
  await pass(["scripts/generate.ts"]);
});
afterAll(() => copy.remove());

/** What a person does to the list: the definition is imported and put into it. */
function addToList(): void {
  const file = join(copy.folder, LIST);
  const list = readFileSync(file, "utf8").replace("] as const;", `, ${NAME}Interface] as const;`);
  writeFileSync(file, `import { ${NAME}Interface } from "./${NAME}/definition.ts";\n${list}`);
}

/** Runs a program of the copy, which must succeed. @returns what it printed. */
async function pass(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  const { passed, output } = await copy.run(command, env);
  expect(passed, output).toBe(true);
  return output;
}

/** Runs test files of the copy, and of them the tests of the new interface. */
function runTests(files: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  // One process for all, since loading what they need takes longer than most of them.
  const options = ["--reporter=verbose", "--no-isolate", "--maxWorkers=1", "--testNamePattern", NAME];
  return copy.run([...VITEST, ...options, ...files], {
    TEST_DATABASE_URL: inject("testServer").tcpUrl,
    FUZZ_ONLY: NAME,
    FUZZ_SEED: "1",
    ...env,
  });
}

test("it is added by its folders and the list alone", () => {
  expect(copy.changed()).toEqual(
    [...Object.values(FOLDERS), `generated/${NAME}`].map(folderName).concat(LIST).sort(),
  );
  const list = readFileSync(join(copy.folder, LIST), "utf8");
  expect(list).toMatch(new RegExp(`^export const INTERFACES = \\[.*, ${NAME}Interface\\] as const;$`, "m"));
});

function folderName(path: string): string {
  return `${path}/`;
}

test("its document keeps the rules, but for one that it is made to break: the port of another mock", async () => {
  const taken = {
    name: "the port of another mock",
    file: `spec/${NAME}/openapi.yaml`,
    find: "x-mock-port: 4099",
    replace: "x-mock-port: 4010",
  };
  const { passed, output } = await copy.withFault(taken, () => copy.run(["scripts/lint-spec.ts"]));
  expect(passed).toBe(false);
  expect(output.match(/^spec\/.*/gm)).toEqual([
    expect.stringMatching(
      /^spec\/\w+\/openapi\.yaml:\d+:1 {2}The mock of spec\/.* has the port 4010 already/,
    ),
  ]);
});

/** What must not compile: the rest must. */
const MISTAKES: readonly (Replacement & { readonly error: string })[] = [
  {
    name: "a status that the document lacks",
    file: `${FOLDERS.server}/put-entry.ts`,
    find: "isNew ? 201 : 200",
    replace: "isNew ? 202 : 200",
    error: "Type '202' is not assignable to type",
  },
  {
    name: "a body where the document has none",
    file: `${FOLDERS.server}/delete-entry.ts`,
    find: "answer(204)",
    replace: "answer(204, path)",
    error: "is not assignable to parameter of type 'undefined'",
  },
  {
    name: "a field of another type",
    file: `${FOLDERS.server}/convert-entry.ts`,
    find: "{ stars }) };",
    replace: "{ stars: String(stars) }) };",
    error: "Type 'string' is not assignable to type 'number'",
  },
  {
    name: "another interface's principal",
    file: `${FOLDERS.server}/get-account.ts`,
    find: "principal.name",
    replace: "principal.keyId",
    error: "Property 'keyId' does not exist on type 'Guest'",
  },
  {
    name: "an operation without a handler",
    file: `${FOLDERS.server}/handlers.ts`,
    find: "  listEntries,\n",
    replace: "",
    error: "Property 'listEntries' is missing",
  },
];

test("its types are held: it compiles, and what its document lacks does not", async () => {
  // The whole of what serves it, and its part of the gate; other tests and commands know nothing of interfaces.
  const include = ["server/compose-http.ts", FOLDERS.server, FOLDERS["contract-tests"]];
  const config = {
    extends: "./tsconfig.json",
    include: [...include, "server/testing/database/global-setup.ts"],
  };
  const file = join(copy.folder, `tsconfig.${NAME}.json`);
  writeFileSync(file, JSON.stringify(config));
  const compile = () => copy.compile("--project", file);
  // Compiling takes seconds, so all mistakes are made at once.
  const { output } = await MISTAKES.reduce((work, mistake) => () => copy.withFault(mistake, work), compile)();
  const errors = output.split(/\n(?! )/).filter((line) => line !== "");
  for (const { name, file, error } of MISTAKES) {
    const told = errors.some((line) => line.startsWith(`${file}(`) && line.includes(error));
    expect(told, `${name}:\n${output}`).toBe(true);
  }
  const others = errors.filter((line) => !MISTAKES.some(({ file }) => line.startsWith(`${file}(`)));
  expect(others).toEqual([]);
});

test("mock, Dredd, fuzzing and the other tests of all interfaces are its tests as well", async () => {
  const { passed, output } = await runTests(
    [
      "contract-tests/prism/prism.test.ts",
      "contract-tests/examples.test.ts",
      "contract-tests/change/find-changes.test.ts",
      "contract-tests/dredd/dredd.test.ts",
      "contract-tests/fuzz/values.test.ts",
      "contract-tests/fuzz/fuzz.test.ts",
      "contract-tests/fuzz/raw-http.test.ts",
    ],
    { FUZZ_RUNS: "300" },
  );
  expect(passed, output).toBe(true);
  for (const name of [
    "answers listEntries 200 entries",
    "answers putEntry 201 made",
    "answers exportEntries 200 table",
    "answers deleteEntry 204",
    "asks for a key at deleteEntry",
    "takes a key for getAccount as cookie",
    "a body of guestbook putEntry that the contract does not allow",
    "guestbook getEntry 404 has an example of every error code that it allows",
    "the document of guestbook has no changes against itself",
    "the live server gives every documented answer of guestbook",
    "the mock of guestbook can make up answers that keep to the contract",
    "the schemas of guestbook > EntryText: values fit, and violations do not",
    "guestbook putEntry valid",
    "guestbook deleteEntry broken",
    "reads of guestbook over a socket: > a header of 20 KB",
  ])
    expect(output).toMatch(new RegExp(`✓ .*${name}`));
  expect(output).toMatch(/^deleteEntry {4}204 ✓ {2}401 ✓ {2}403 ✓ {2}404 ✓ {2}500 ✓$/m);
  expect(output).toMatch(/^exportEntries {2}200 text\/csv ✓ {2}401 ✓ {2}500 ✓$/m);
  expect(output).toContain("24 of 24 documented answers, 0 skipped");
});

test("an answer that breaks its document fails", async () => {
  const extra = {
    name: "a field that the document lacks",
    file: `${FOLDERS.server}/get-account.ts`,
    find: "{ name: principal.name }",
    replace: "{ ...principal }",
  };
  const { passed, output } = await copy.withFault(extra, () =>
    runTests(["contract-tests/fuzz/fuzz.test.ts"], { FUZZ_ONLY: `${NAME} getAccount valid`, FUZZ_RUNS: "5" }),
  );
  expect(passed).toBe(false);
  expect(output).toContain("/response must NOT have additional properties");
});

test("it is served, documented and measured beside the others", async () => {
  await pass(["scripts/docs.ts"]);
  const database = await createTestDatabase();
  const services = openTestServicesOn(database);
  onTestFinished(() => services.dispose());
  const server = await startServerProcess(database.url, {}, copy.folder);
  onTestFinished(async () => void (await server.kill("SIGTERM")));
  const { origin } = new URL(server.baseUrl);
  const { key } = await services.addKey(await services.addAccount(), "general");
  const ask = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  };

  const headers = { Cookie: `guestbook-session=${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "Ada", text: 'It was "lovely".' });
  const written = await ask(`${origin}/guestbook/v1/entries/a`, { method: "PUT", headers, body });
  expect(written.status).toBe(201);
  expect(await ask(`${origin}/guestbook/v1/export`, { headers })).toEqual({
    status: 200,
    text: 'id,name,text,stars\na,Ada,"It was ""lovely"".",\n',
  });
  expect((await ask(`${origin}/docs/`)).text).toContain(`href="${NAME}.html"`);
  expect(await ask(`${origin}/docs/${NAME}.html`)).toMatchObject({
    status: 200,
    text: expect.stringContaining("What guests have written"),
  });
  const labels = `interface="${NAME}",operation="exportEntries",status="200"`;
  await expect
    .poll(async () => (await ask(`${server.adminUrl}/metrics`)).text)
    .toContain(`http_request_duration_seconds_count{${labels}} 1`);
});

test("change control knows that it is new, and what breaks its callers from then on", async () => {
  expect(await pass(["scripts/contract-diff.ts"])).toContain(`The interface ${NAME} is new`);
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

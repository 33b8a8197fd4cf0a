import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { interfaceNames } from "../../spec/tools/interface-names.ts";
import { openContract } from "../contract.ts";
import { codesIn, type Table, tablesIn } from "./tables.ts";

// What the manuals outside of spec/ name, and code has.

const root = resolve(import.meta.dirname, "../..");

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** The texts of a folder's modules, without their tests. */
function codeOf(pattern: string): string {
  const files = globSync(pattern, { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  return files.map(read).join("\n");
}

/** The table of a manual that begins with a column of that name. */
function tableOf(file: string, column: string): Table {
  const found = tablesIn(read(file)).find(({ header }) => header[0] === column);
  if (found === undefined) throw new Error(`${file} has no table that begins with ${column}.`);
  return found;
}

test("the metrics of the operators' manual are those of the service", () => {
  const code = codeOf("server/**/*.ts");
  const named = tableOf("server/operator/README.md", "Metric").rows.flatMap(({ cells: [first = ""] }) =>
    codesIn(first.replace(/ by .*/, "")),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});

test("the ends of a purchase in the client's manual are those of its types", () => {
  const kinds = [...read("client/purchase.ts").matchAll(/readonly kind: "(\w+)";/g)].map(([, kind]) => kind);
  const named = tableOf("client/README.md", "`kind`").rows.map(
    ({ cells: [first = ""] }) => codesIn(first)[0],
  );
  expect(named.sort()).toEqual([...new Set(kinds)].sort());
});

test("the versions that a manual names of what the tests use are those that they use", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const used: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
  const said = globSync(["spec/*/*.md", "client/*.md"], { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/`([^`\s]+)` (\d+\.\d+\.\d+)/g)].map(([, name = "", version]) => ({
      file,
      name,
      version,
    })),
  );
  const known = said.filter(({ name }) => name in used);
  expect(known.length).toBeGreaterThan(2);
  expect(known).toEqual(known.map(({ file, name }) => ({ file, name, version: used[name] })));
});

test("the ports of mocks are those that their documents name", () => {
  const ports = interfaceNames().map((name) => openContract(name).mockPort);
  const text = read("spec/README.md").replaceAll(/\s+/g, " ");
  const [, list = ""] =
    /serves every interface from its generated document(.*?)names the port/.exec(text) ?? [];
  const said = [...list.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
  expect(said).toEqual(ports.slice(0, said.length));
  expect(said.length).toBeGreaterThan(1);
});

test("every command that a manual names is there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const manuals = globSync("**/*.md", {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|\.\w+)$/.test(name),
  });
  const unknown = manuals.flatMap((file) =>
    [...read(file).matchAll(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g)]
      .filter(([, name = ""]) => !(name in scripts))
      .map(([command]) => `${file}: ${command}`),
  );
  expect(unknown).toEqual([]);
});

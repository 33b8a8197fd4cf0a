import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { testsWithoutAssertion, turnedOff } from "./test-rules.ts";

const root = resolve(import.meta.dirname, "../..");
const FOLDERS = ["server", "client", "contract-tests", "scripts", "spec"];

function read(file: string): string | null {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : null;
}

function linesOf(text: string, imported: string | null = null): number[] {
  return testsWithoutAssertion(text, () => imported).map(({ line }) => line);
}

test.each([
  ["expects something", 'test("a", () => { expect(1).toBe(1); });', []],
  ["expects nothing", 'test("a", async () => { await list(); });', [1]],
  ["of a table expects nothing", 'test.each([1])("a %s", async () => { await list(); });', [1]],
  [
    "has a table that is computed",
    'test.each([1].map((it) => it))("a", (it) => { expect(it).toBe(1); });',
    [],
  ],
  ["calls what expects", 'const look = () => expect(1).toBe(1);\ntest("a", () => look());', []],
  ["calls what calls it", 'const a = () => b();\nfunction b() { expect(1); }\ntest("a", () => a());', []],
  ["does not compile", 'test("a", () => {\n// @ts-expect-error\nlist(1); });', []],
  ["waits", 'test("a", async () => { await until(() => isThere()); });', []],
])("a test that %s", (_, text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

test("what a test imports may expect for it", () => {
  const text = 'import { look } from "./look.ts";\ntest("a", () => look());';
  expect(linesOf(text, "export function look() { expect(1).toBe(1); }")).toEqual([]);
  expect(linesOf(text, "export function look() {}")).toEqual([2]);
});

test("files may not be taken out of what the compiler and the linter look at", () => {
  const hidden = ["// @ts-nocheck", "/* biome-ignore-all lint: x */", "  // @ts-ignore"];
  for (const line of hidden) expect(turnedOff(`one;\n${line}\n`)).toMatchObject([{ line: 2 }]);
  expect(turnedOff("// What @ts-nocheck means.\n// @ts-expect-error because of a\n")).toEqual([]);
});

test("every test of the project expects something, and no file is hidden", () => {
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort();
  expect(files.length).toBeGreaterThan(500);
  const faults = files.flatMap((file) => {
    const text = read(file) ?? "";
    const tests = file.endsWith(".test.ts")
      ? testsWithoutAssertion(text, (path) => read(join(dirname(file), path)))
      : [];
    return [...turnedOff(text), ...tests].map(({ line, message }) => `${file}:${line} ${message}`);
  });
  expect(faults).toEqual([]);
});

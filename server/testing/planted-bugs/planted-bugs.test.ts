import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { plant } from "./planted-bug.ts";
import { PLANTED_BUGS, plantedBug } from "./planted-bugs.ts";

const root = resolve(import.meta.dirname, "../../..");

test.each(PLANTED_BUGS)("$name still has its place, compiles, and has a test to catch it", (bug) => {
  const planted = plant(bug, readFileSync(resolve(root, bug.file), "utf8"));
  expect(() => stripTypeScriptTypes(planted)).not.toThrow();
  expect(bug.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
  expect(existsSync(resolve(root, bug.caughtBy))).toBe(true);
});

test("names are unique, and an unknown one is refused", () => {
  expect(new Set(PLANTED_BUGS.map(({ name }) => name)).size).toBe(PLANTED_BUGS.length);
  expect(() => plantedBug("no-such-bug")).toThrow("no-such-bug");
});

test("a text that is missing, or there twice, is refused", () => {
  const bug = {
    name: "b",
    description: "",
    file: "f.ts",
    find: "pay();",
    replace: "",
    caughtBy: "f.test.ts",
  };
  expect(plant(bug, "begin(); pay(); end();")).toBe("begin();  end();");
  expect(() => plant(bug, "begin(); end();")).toThrow("exactly once");
  expect(() => plant(bug, "pay(); pay();")).toThrow("exactly once");
});

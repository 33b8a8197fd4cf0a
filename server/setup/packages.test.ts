import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { installationState } from "./packages.mjs";

const folder = mkdtempSync(join(tmpdir(), "shop-packages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const wanted = {
  "": {},
  "node_modules/server": { version: "1.0.0", integrity: "a" },
  "node_modules/tool": { version: "1.0.0", integrity: "b", dev: true },
  "node_modules/other-platform": { version: "1.0.0", integrity: "c", optional: true },
};
const server = { "node_modules/server": wanted["node_modules/server"] };
const everything = { ...server, "node_modules/tool": wanted["node_modules/tool"] };

function stateOf(installed: object | undefined, needsDevelopmentPackages: boolean): string {
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }));
  if (installed) {
    mkdirSync(join(folder, "node_modules"));
    const record = join(folder, "node_modules", ".package-lock.json");
    writeFileSync(record, JSON.stringify({ packages: installed }));
  }
  return installationState(folder, needsDevelopmentPackages);
}

test("packages are missing where npm has not finished an installation", () => {
  expect(stateOf(undefined, true)).toBe("missing");
});

test("an installation without another platform's packages is complete", () => {
  expect(stateOf(everything, true)).toBe("complete");
});

test("an installation is stale when one package has another version or content", () => {
  const older = { version: "0.9.0", integrity: "z" };
  expect(stateOf({ ...everything, "node_modules/server": older }, true)).toBe("stale");
  const altered = { version: "1.0.0", integrity: "z" };
  expect(stateOf({ ...everything, "node_modules/server": altered }, false)).toBe("stale");
});

test("a production installation serves what needs no development packages, and nothing else", () => {
  expect(stateOf(server, false)).toBe("complete");
  expect(stateOf(server, true)).toBe("stale");
});

test("a stale production installation is told apart, so that it stays one", () => {
  expect(stateOf({ "node_modules/server": { version: "0.9.0" } }, false)).toBe("stale-production");
});

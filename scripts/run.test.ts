import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runProgram, startProgram } from "../server/testing/program.ts";

const run = join(import.meta.dirname, "run.mjs");
const folder = mkdtempSync(join(tmpdir(), "shop-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, source: string): string {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

test("a script gets its arguments, Node 24 and settings that keep tools quiet", async () => {
  const file = script(
    "show.ts",
    `const shown: unknown[] = [process.argv.slice(2), process.versions.node.split(".")[0], process.env.REDOCLY_TELEMETRY];
     console.log(JSON.stringify(shown));`,
  );
  const { stdout, stderr } = await runProgram(process.execPath, [run, file, "a b", "--c"]);
  expect(JSON.parse(stdout)).toEqual([["a b", "--c"], "24", "off"]);
  expect(stderr).toBe("");
});

test("a script's exit code is passed on", async () => {
  const file = script("fail.ts", "process.exitCode = 7;");
  expect((await runProgram(process.execPath, [run, file])).exitCode).toBe(7);
});

test("a signal reaches the script, which may end in its own way", async () => {
  const file = script(
    "wait.ts",
    `process.on("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1000); console.log("ready");`,
  );
  const running = startProgram(process.execPath, [run, file]);
  await running.printed(/^ready$/);
  expect((await running.kill("SIGTERM")).exitCode).toBe(5);
});

test("a missing script name is an error that says how to use it", async () => {
  expect((await runProgram(process.execPath, [run])).stderr).toContain("Usage:");
});

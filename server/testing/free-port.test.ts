import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findStablePort } from "./free-port.ts";
import { runProgram } from "./program.ts";

const MODULE = resolve(import.meta.dirname, "free-port.ts");
const PORTS_EACH = 300;

/** Takes ports, and prints them. */
const TAKER = `
  const { findStablePort } = await import(${JSON.stringify(MODULE)});
  for (let count = 0; count < ${PORTS_EACH}; count += 1) console.log(await findStablePort());
`;

test("no port is given to two processes that live", async () => {
  const own = new Set<string>();
  while (own.size < PORTS_EACH) own.add(String(await findStablePort()));

  const { stdout, exitCode } = await runProgram(process.execPath, ["--input-type=module", "--eval", TAKER], {
    env: process.env,
  });

  expect(exitCode).toBe(0);
  const others = stdout.trim().split("\n");
  expect(new Set(others).size).toBe(PORTS_EACH);
  expect(others.filter((port) => own.has(port))).toEqual([]);
});

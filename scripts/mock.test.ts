import { join } from "node:path";
import { expect, test } from "vitest";
import { INTERFACES } from "../contract-tests/contract.ts";
import { startProgram } from "../server/testing/program.ts";

test.each(["SIGINT", "SIGTERM"] as const)(
  "the mock says where it serves each interface, and stops cleanly on %s",
  async (signal) => {
    const mock = startProgram(process.execPath, [join(import.meta.dirname, "mock.ts"), "--port", "0"]);
    await mock.printed(/Ctrl-C stops the mock/);
    const urls = mock.output().match(/(?<=^The mock of .* is at )http:\S+/gm) ?? [];
    expect(urls).toHaveLength(INTERFACES.length);
    for (const url of urls) expect((await fetch(url)).status).toBe(404);
    expect((await mock.kill(signal)).exitCode).toBe(0);
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  },
);

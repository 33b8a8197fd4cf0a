import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startTestShop } from "../server/testing/test-shop.ts";
import { readmeProgram } from "./testing/readme-program.ts";

const run = promisify(execFile);

test("the buyer's program of the README buys two codes, in less than twenty-five lines", async () => {
  const shop = await startTestShop();
  onTestFinished(() => shop.stop());
  const folder = await mkdtemp(join(tmpdir(), "client-readme-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = await readmeProgram();
  expect(program.split("\n").filter((line) => line !== "").length).toBeLessThan(25);
  await writeFile(
    join(folder, "program.mjs"),
    program.replace('"prepaid-code-shop-client"', JSON.stringify(join(import.meta.dirname, "index.ts"))),
  );
  const { stdout } = await run(process.execPath, ["program.mjs"], {
    cwd: folder,
    env: { ...process.env, SHOP_URL: shop.baseUrl, SHOP_API_KEY: shop.orderingKey },
  });
  const codes = [...stdout.matchAll(/^Redeem (\S+) at https:\/\/redeem.example\/here$/gm)];
  expect(codes).toHaveLength(2);
  for (const [, code] of codes) expect(shop.codes).toContain(code);
});

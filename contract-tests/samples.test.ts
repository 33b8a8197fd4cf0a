import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../server/testing/program.ts";

// Samples are copied. That they work is told by the test of the guide; here, that those which buy keep the rules of purchases.

const root = resolve(import.meta.dirname, "..");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** By the end of a sample's name, what runs it; a line of a shell sends one request and shows the answer. */
const RUNNERS: Readonly<Record<string, string>> = {
  ts: process.execPath,
  ...(hasPython ? { py: "python3" } : {}),
};
const samples = globSync("spec/*/samples/create-order.*", { cwd: root }).flatMap((file) => {
  const runner = RUNNERS[file.split(".").at(-1) ?? ""];
  return runner === undefined ? [] : [{ file, runner }];
});

type Answer = (res: ServerResponse) => void;

const DELIVERED = { status: "delivered", codes: ["CODE-1"], redeemUrl: "https://redeem.example" };
const answered =
  (status: number, body: object): Answer =>
  (res) =>
    void res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
const lost: Answer = (res) => void res.destroy();

/** Runs a sample against a shop that answers so, one request after the other. */
async function runSample({ file, runner }: (typeof samples)[number], answers: readonly Answer[]) {
  const orders: unknown[] = [];
  const shop = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(req as AsyncIterable<Buffer>));
    orders.push(JSON.parse(body.toString()));
    (answers[orders.length - 1] ?? lost)(res);
  });
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  const { port } = shop.address() as AddressInfo;
  const env = {
    ...process.env,
    SHOP_URL: `http://127.0.0.1:${port}/shop/v1`,
    SHOP_API_KEY: "svc_sk_sample",
    PRODUCT_ID: "pen",
  };
  try {
    const { exitCode, stdout, stderr } = await runProgram(runner, [join(root, file)], { cwd: root, env });
    return { orders, exitCode, said: stdout + stderr };
  } finally {
    shop.close();
  }
}

test("there are samples that buy", () => expect(samples.length).toBeGreaterThan(0));

test.concurrent.each(
  samples.flatMap((sample) =>
    [
      ["a 500", answered(500, { error: "server_error", message: "m" })] as const,
      ["no answer", lost] as const,
    ].map(([what, answer]) => [sample.file, what, sample, answer] as const),
  ),
)("%s sends the same order again after %s", async (_file, _what, sample, answer) => {
  const { orders, exitCode, said } = await runSample(sample, [answer, answered(200, DELIVERED)]);
  expect(orders).toHaveLength(2);
  expect(orders[1]).toEqual(orders[0]);
  expect(said).toContain("Redeem CODE-1 at https://redeem.example");
  expect(exitCode).toBe(0);
});

test.concurrent.each(samples.map((sample) => [sample.file, sample] as const))(
  "%s sends nothing again that is refused, and says why",
  async (_file, sample) => {
    const { orders, exitCode, said } = await runSample(sample, [
      answered(409, { error: "out_of_stock", message: "m" }),
    ]);
    expect(orders).toHaveLength(1);
    expect(said).toContain("out_of_stock");
    expect(exitCode).not.toBe(0);
  },
);

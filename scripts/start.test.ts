import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, test } from "vitest";
import { type RunningProgram, startProgram } from "../server/testing/program.ts";
import { openTestBrowser } from "../server/testing/test-browser.ts";
import { tokenOf } from "../server/testing/test-people.ts";

const dataDir = mkdtempSync(join(tmpdir(), "shop-start-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const environment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  DATA_DIR: dataDir,
  PORT: "0",
  ADMIN_PORT: "0",
  OPERATOR_PORT: "0",
  LOG_LEVEL: "warn",
};

const started: RunningProgram[] = [];
afterEach(async () => {
  for (const running of started.splice(0)) await running.kill("SIGTERM");
});

function start(env: NodeJS.ProcessEnv): RunningProgram {
  const running = startProgram(process.execPath, [join(import.meta.dirname, "start.ts")], {
    env: { ...environment, ...env },
  });
  started.push(running);
  return running;
}

interface OpenShop {
  /** What it has printed until it was open. */
  readonly shown: string;
  /** @returns the exit code. */
  stop(): Promise<number | null>;
}

async function startShop(env: NodeJS.ProcessEnv = {}): Promise<OpenShop> {
  const running = start(env);
  await running.printed(/Ctrl-C stops the shop/);
  const stop = async () => {
    // A terminal's Ctrl-C arrives twice: from the terminal and from npm.
    running.child.kill("SIGINT");
    return (await running.kill("SIGINT")).exitCode;
  };
  return { shown: running.output(), stop };
}

const peopleDir = mkdtempSync(join(tmpdir(), "shop-start-"));
afterAll(() => rmSync(peopleDir, { recursive: true }));

const onDemandOrder = { productId: "demo-ai-on-demand", qty: 1 };

// biome-ignore lint/suspicious/noExplicitAny: the test asserts on whatever came.
async function buy(shown: string, key: string, order: object): Promise<any> {
  const [, baseUrl = ""] = /Ordering interface +(\S+)/.exec(shown) ?? [];
  const response = await fetch(`${baseUrl}/orders`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(order),
  });
  return response.json();
}

/** Does what the account center's page does from the link on to a key. @returns the key. */
async function makeKey(shown: string): Promise<string> {
  const link = /Account center +(\S+)/.exec(shown)?.[1] ?? "";
  const page = openTestBrowser(new URL(link).origin);
  const [token, password] = [tokenOf(link), "chosen at the first visit"];
  const { body: accepted } = await page.ask("/invitation/acceptance", {
    body: { token, password, name: "Ada" },
  });
  const { body: session } = await page.ask("/session", { body: { email: accepted.email, password } });
  const { status, body } = await page.ask(`/accounts/${session.memberships[0].accountId}/keys`, {
    body: { kind: "product_ordering", name: "First key" },
    headers: { "Idempotency-Key": "first-key" },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.secret;
}

test("the link that the first start shows leads to a key that buys, and later starts say how to get another", async () => {
  const env = { DATA_DIR: peopleDir };
  const first = await startShop(env);
  const order = { externalOrderId: "first", productId: "demo-ai-month", qty: 1 };
  expect(await buy(first.shown, await makeKey(first.shown), order)).toMatchObject({ status: "delivered" });
  expect(await first.stop()).toBe(0);

  const second = await startShop(env);
  expect(second.shown).not.toContain("#invitation=");
  const [, port] = /Account center +http:\/\/localhost:(\d+)\/account\/$/m.exec(second.shown) ?? [];
  expect(second.shown).toContain(
    `a new link: PORT=${port} DATA_DIR=${peopleDir} npm run -s operator -- user reset demo@buyer.example`,
  );
  const browser = { headers: { accept: "text/html" }, redirect: "manual" } as const;
  const root = await fetch(`http://127.0.0.1:${port}/`, browser);
  expect([root.status, root.headers.get("location")]).toEqual([302, "account/"]);
  expect(await second.stop()).toBe(0);
});

test("the first start shows lines that buy codes and talk to a model, and later ones keep the shop", async () => {
  const first = await startShop();
  const lines = first.shown
    .split("\n")
    .filter((line) => /^ {2}(?:KEY=|AI_KEY=|curl|ANSWER=|ORDER=)/.test(line));
  const { stdout } = await promisify(execFile)("bash", ["-c", lines.join("\n")]);
  const answers = stdout.trim().split("\n");
  const [{ products }, order, , onDemand] = answers.slice(0, 4).map((line) => JSON.parse(line));
  expect(answers.filter((line) => line.startsWith("event:")).at(-1)).toBe("event: message_stop");
  expect(JSON.parse(answers.at(-1) ?? "")).toMatchObject({
    data: [{ model: "sim-echo", outcome: "completed" }],
  });
  expect(first.shown).toContain("answers are simulated");
  expect(products).toHaveLength(4);
  for (const product of products) expect(product).toMatchObject({ inStock: true });
  expect(order).toMatchObject({
    status: "delivered",
    codes: [expect.stringMatching(/^DEMO-/), expect.stringMatching(/^DEMO-/)],
  });
  expect(onDemand).toMatchObject({
    status: "delivered",
    productId: "demo-ai-on-demand",
    codes: [expect.stringMatching(/^SIM-/)],
    redeemUrl: "https://redeem.example/demo-ai-on-demand",
  });
  expect(await first.stop()).toBe(0);
  expect(existsSync(join(dataDir, "database", "server.json"))).toBe(false);

  const second = await startShop();
  const account = /acc_\w+/.exec(first.shown)?.[0];
  expect(second.shown).toContain(`key create --account ${account} --kind product_ordering`);
  expect(second.shown).toContain(`key create --account ${account} --kind general`);
  expect(second.shown).not.toMatch(/svc_sk_/);
  // Its supplier is another one now, at another address, that remembers nothing.
  const key = /KEY=(\S+)/.exec(first.shown)?.[1] ?? "";
  const again = await buy(second.shown, key, { ...onDemandOrder, externalOrderId: "again" });
  expect(again).toMatchObject({
    status: "delivered",
    reused: false,
    codes: [expect.stringMatching(/^SIM-/)],
  });
  expect(again.codes).not.toEqual(onDemand.codes);
  const replayed = await buy(second.shown, key, {
    ...onDemandOrder,
    externalOrderId: onDemand.externalOrderId,
  });
  expect(replayed).toEqual({ ...onDemand, reused: true });
  expect(await second.stop()).toBe(0);
});

const emptyDir = mkdtempSync(join(tmpdir(), "shop-start-"));
afterAll(() => rmSync(emptyDir, { recursive: true }));

test.each([
  ["on request", { DEMO: "off" }],
  ["in production", { NODE_ENV: "production" }],
])("an empty shop is opened, and stays empty, %s", async (_, env) => {
  const shop = await startShop({ DATA_DIR: emptyDir, ...env });
  expect(shop.shown).not.toMatch(/demo|simulated/i);
  expect(shop.shown).toContain("no upstream: set UPSTREAM_URL");
  expect(await shop.stop()).toBe(0);
});

test("every fault of the environment is told before anything is made", async () => {
  const running = start({ PORT: "http", DEMO: "perhaps", DATA_DIR: import.meta.filename });
  const { exitCode, stderr } = await running.ended;
  expect(exitCode).toBe(1);
  for (const name of ["PORT", "DEMO", "DATA_DIR"]) expect(stderr).toContain(`  ${name} must be `);
});

test("a port that is in use is named, with a way out", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { exitCode, stderr } = await start({ PORT: String(port), DEMO: "off" }).ended;
  expect(exitCode).toBe(1);
  const advised = [...stderr.matchAll(/\b(?:(?:OPERATOR|ADMIN)_)?PORT=(\d+)/g)].map(([, other]) =>
    Number(other),
  );
  expect(new Set([port, ...advised]).size, stderr).toBe(4);
  other.close();
});

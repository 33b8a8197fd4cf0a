import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { holdLock } from "../testing/database/held-lock.ts";
import { scaled } from "../testing/faults/fault-runs.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import { requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";

/** As many as it takes for their 99th percentile to say something, also in a short run. */
const QUIET_ORDERS = 300;
const DISTURBED_ORDERS = Math.max(scaled(300), 100);
/** As many as can be bought while somebody is held up. */
const ENOUGH_CODES = 20_000;
/** Orders of the account whose row is locked, sent again and again. */
const HELD_UP = 32;

let services: TestServices;
/** Those who are not held up buy here. */
let server: ServerProcess;
beforeEach(async () => {
  services = await openTestServices();
  server = await startServer(services.databaseUrl);
});
afterEach(async () => {
  await server.kill("SIGTERM");
  // Ends with the audit.
  await services.dispose();
});

async function startServer(databaseUrl: string): Promise<ServerProcess> {
  const started = await startServerProcess(databaseUrl, { LOG_LEVEL: "info" });
  onTestFinished(() => void started.kill("SIGKILL"));
  return started;
}

interface Buyer {
  readonly accountId: string;
  order(externalOrderId: string, at?: ServerProcess, of?: string): ReturnType<typeof requestShop>;
}

async function addBuyer(productId: string): Promise<Buyer> {
  const accountId = await services.addAccount("1000");
  const { key } = await services.addKey(accountId);
  return {
    accountId,
    order: (externalOrderId, at = server, of = productId) =>
      requestShop(at.baseUrl, "/orders", { key, body: { externalOrderId, productId: of, qty: 1 } }),
  };
}

/** Orders one after the other, each of which is bought. @returns how long each took, in milliseconds */
async function buyOnAndOn(
  buyer: Buyer,
  name: string,
  isEnough: (bought: number) => boolean,
): Promise<number[]> {
  const times: number[] = [];
  while (!isEnough(times.length)) {
    const startedMs = performance.now();
    expect(await buyer.order(`${name}-${times.length}`)).toMatchObject({ status: 200 });
    times.push(performance.now() - startedMs);
  }
  return times;
}

test("an account whose row is locked holds up nobody else who buys the same", async () => {
  const { productId } = await services.addProduct({ codes: QUIET_ORDERS + DISTURBED_ORDERS + HELD_UP });
  const [locked, other] = [await addBuyer(productId), await addBuyer(productId)];
  const quiet = await buyOnAndOn(other, "quiet", (bought) => bought === QUIET_ORDERS);
  const held = await holdLock(
    services.databaseUrl,
    "SELECT 1 FROM accounts WHERE account_id = ? FOR UPDATE",
    [locked.accountId],
  );
  let isHeld = true;
  const heldUp = Array.from({ length: HELD_UP }, async (_, index) => {
    const answers: string[] = [];
    while (isHeld) answers.push((await locked.order(`held-up-${index}`)).body.error);
    return answers;
  });
  // All of them are bought while the row stays locked.
  const disturbed = await buyOnAndOn(other, "disturbed", (bought) => bought === DISTURBED_ORDERS);
  isHeld = false;
  expect(new Set((await Promise.all(heldUp)).flat())).toEqual(new Set(["order_in_progress"]));
  await held.release();
  for (let index = 0; index < HELD_UP; index += 1)
    expect(await locked.order(`held-up-${index}`)).toMatchObject({ status: 200 });
  print("one account's row locked", quiet, disturbed);
});

test("a process that is frozen in a transaction holds up who needs its rows for seconds, and nobody else", async () => {
  const { productId } = await services.addProduct({ codes: 10 });
  const { productId: otherProductId } = await services.addProduct({ price: "0.01", codes: ENOUGH_CODES });
  const [frozen, behind] = [await addBuyer(productId), await addBuyer(productId)];
  const other = await addBuyer(otherProductId);
  let isArmed = false;
  const reached = Promise.withResolvers<void>();
  const interceptor = await startInterceptor(services.databaseTcpUrl, ({ from, request }) => {
    // By then it has the rows of the stock and of the account.
    if (isArmed && from === "server" && /^execute UPDATE accounts/.test(request)) {
      isArmed = false;
      freezing.freeze();
      reached.resolve();
    }
    return "pass";
  });
  const freezing = await startServer(interceptor.url);
  onTestFinished(() => freezing.thaw());
  expect(await frozen.order("before", freezing)).toMatchObject({ status: 200 });
  const quiet = await buyOnAndOn(other, "quiet", (bought) => bought === QUIET_ORDERS);

  isArmed = true;
  const unanswered = frozen.order("frozen", freezing);
  await reached.promise;
  const sinceMs = performance.now();
  /** An order that needs what the frozen transaction has, sent until it is bought. @returns after how long that was */
  const untilBought = async (order: () => ReturnType<typeof requestShop>) => {
    for (;;) {
      const answer = await order();
      if (answer.status === 200) return performance.now() - sinceMs;
      expect(answer.body.error).toBe("order_in_progress");
      await delay(Number(answer.headers.get("retry-after")) * 1_000);
    }
  };
  let isSold = false;
  const waiting = Promise.all([
    untilBought(() => behind.order("behind")),
    untilBought(() => frozen.order("frozen")),
    untilBought(() => frozen.order("of the same account", server, otherProductId)),
  ]).finally(() => {
    isSold = true;
  });
  const disturbed = await buyOnAndOn(other, "disturbed", () => isSold);
  const [sameProduct, sameOrder, sameAccount] = (await waiting).map((ms) => `${Math.round(ms / 100) / 10} s`);
  freezing.thaw();
  // What was begun came to nothing, and was bought by the other process.
  expect(await unanswered).toMatchObject({ status: 200, body: { reused: true } });
  expect(disturbed.length).toBeGreaterThan(0);
  print(
    `a process frozen in a transaction (bought after: the same product ${sameProduct}, the same order ${sameOrder}, ` +
      `another order of the account ${sameAccount})`,
    quiet,
    disturbed,
  );
  await freezing.kill("SIGTERM");
  interceptor.close();
});

function print(what: string, quiet: readonly number[], disturbed: readonly number[]): void {
  const line = (name: string, times: readonly number[]) =>
    `  ${name}: ${times.length} orders, p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
  console.log([`Other buyers beside ${what}:`, line("before", quiet), line("during", disturbed)].join("\n"));
}

function percentile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return String(Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10);
}

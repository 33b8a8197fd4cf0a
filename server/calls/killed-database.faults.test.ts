import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { CallId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { createRandom } from "../simulators/shared/random.ts";
import { startKillableDatabase } from "../testing/database/killable-database.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import { addCaller, addModel, completedWith, fundsOf, mostOutput, outputOf } from "../testing/test-calls.ts";
import { openTestServicesOn, testConfig, usd } from "../testing/test-shop.ts";

const KILLS = scaled(20);
const PROCESSES = 2;
const WORKERS = 24;
const CALLERS = 4;
const BALANCE = "100000";
const MAX_TOKENS = 1_000;
const LEASE_MS = 60_000;
/** So many calls end, at the most, between a restart and the next kill. */
const MAX_ENDED = 400;
const MAX_PAUSE_MS = 100;
const MIN_PAUSE_MS = 10;
const MAX_WAIT_MS = 3 * 60_000;

test("a database killed 20 times under calls has every call that began, and charges each as it ended", async () => {
  const random = createRandom(faultSeed());
  const killable = await startKillableDatabase();
  const { url, dispose } = killable;
  let aheadMs = 0;
  const clock = () => Date.now() + aheadMs;
  const services = openTestServicesOn({ url, tcpUrl: url, drop: dispose }, clock);
  const model = await addModel(services);
  const callers: Caller[] = [];
  for (let count = 0; count < CALLERS; count += 1)
    callers.push(await addCaller(services, await services.addAccount(BALANCE)));
  const processes = Array.from({ length: PROCESSES }, () =>
    compose({ ...testConfig(url), databasePoolSize: 8, callLeaseMs: LEASE_MS }, clock),
  );

  const begun = new Set<CallId>();
  const ended = new Map<CallId, number>();
  const underWay = new Set<Promise<void>>();
  let done = false;
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    const { calls } = processes[worker % PROCESSES] as Services;
    while (!done) {
      const caller = callers[Math.floor(random() * CALLERS)] as Caller;
      const most = mostOutput(MAX_TOKENS);
      const call = await calls.begin({ caller, model, requestId: "r", most }).catch(() => null);
      if (call === null) {
        await delay(MIN_PAUSE_MS);
        continue;
      }
      begun.add(call.callId);
      if (random() < 0.5) await calls.record(call, outputOf(1));
      // Also beyond what was held, and nothing at all.
      const output = random() < 0.2 ? 0 : Math.floor(random() * 2 * MAX_TOKENS);
      const ending = calls.end(call, completedWith(output));
      underWay.add(ending);
      await ending;
      underWay.delete(ending);
      ended.set(call.callId, output);
    }
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const enough = ended.size + Math.floor(random() * MAX_ENDED);
    await expect.poll(() => ended.size, { interval: 1, timeout: MAX_WAIT_MS }).toBeGreaterThanOrEqual(enough);
    await delay(random() * MAX_PAUSE_MS);
    await killable.kill();
    await killable.restart();
    // An ending outlasts one outage, and not any number of them that follow each other at once.
    await Promise.all(underWay);
  }
  done = true;
  await Promise.all(workers);
  for (const { database } of processes) await closeDatabase(database);

  // Those whose beginning nobody was told of.
  aheadMs = LEASE_MS;
  const recovery = services.calls.startRecovery({ intervalMs: 10 });
  await expect
    .poll(services.calls.countUnfinished, { timeout: MAX_WAIT_MS })
    .toEqual({ running: 0, abandoned: 0 });
  await recovery.stop();
  for (const { accountId } of callers) {
    let spent = 0n;
    for (const call of await services.calls.list(accountId, 1_000_000)) {
      const output = ended.get(call.callId);
      expect(begun.delete(call.callId)).toBe(output !== undefined);
      expect([call.outcome, call.amountMicrocents]).toEqual(
        output === undefined ? ["upstream_failed", 0n] : ["completed", BigInt(output)],
      );
      spent += call.amountMicrocents;
    }
    expect(await fundsOf(services, accountId)).toEqual({ balance: usd(BALANCE) - spent, reserved: 0n });
  }
  expect([...begun]).toEqual([]);
  // Ends with the audit.
  await services.dispose();
});

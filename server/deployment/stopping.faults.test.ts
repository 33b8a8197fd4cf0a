import { expect, test } from "vitest";
import { scaled } from "../testing/faults/fault-runs.ts";
import { addBuyer, startLoad } from "../testing/faults/load.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { openTestServices } from "../testing/test-shop.ts";
import { startTestUpstream } from "../testing/test-upstream.ts";

const STOPS = Math.max(2, scaled(20));
const STOP_TIMEOUT_MS = 10_000;
/** Longer than the clients of the load rest between two requests. */
const DRAIN_MS = 500;

test("twenty stops under load reset no connection, cut no stream and are over in their time", async () => {
  const services = await openTestServices();
  const upstream = await startTestUpstream();
  const buyer = await addBuyer(services, 2_000 * STOPS);
  const environment = {
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
    DRAIN_MS: `${DRAIN_MS}`,
    STOP_TIMEOUT_MS: `${STOP_TIMEOUT_MS}`,
  };
  const start = () => startServerProcess(services.databaseUrl, environment);
  let live = await start();
  const load = startLoad({ buyer, origin: () => live.ownUrl });
  for (let stop = 1; stop <= STOPS; stop += 1) {
    const { answered } = load.report();
    const stopped: ServerProcess = live;
    live = await start();
    await expect.poll(() => load.report().answered).toBeGreaterThan(answered + 200);
    expect(await stopped.kill("SIGTERM")).toBe(0);
    expect(stopped.log()).not.toContain("stopped with orders or calls under way");
  }
  const { answered, refused, failures } = await load.stop();
  expect(failures).toEqual([]);
  await live.kill("SIGTERM");
  console.log(`${STOPS} stops: ${answered} requests answered, ${refused} told to come again, none failed`);
  await services.dispose();
});

import { expect, onTestFinished, test } from "vitest";
import { scaled } from "../testing/faults/fault-runs.ts";
import { addBuyer, startLoad } from "../testing/faults/load.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { openTestServices } from "../testing/test-shop.ts";
import { startTestUpstream } from "../testing/test-upstream.ts";
import { takeOutPreviousRelease, whyNoPreviousRelease } from "./previous-release.ts";

const REQUESTS = Math.max(300, scaled(10_000));
const missing = whyNoPreviousRelease();

test("the previous release works on this release's schema, beside this release, and then alone again", async ({
  skip,
}) => {
  if (missing !== null) skip(missing);
  const previous = takeOutPreviousRelease();
  onTestFinished(previous.remove);
  const services = await openTestServices();
  const upstream = await startTestUpstream();
  const buyer = await addBuyer(services, 10 * REQUESTS);
  const env = { UPSTREAM_URL: upstream.url, UPSTREAM_API_KEY: upstream.apiKey };
  const older = await startServerProcess(services.databaseUrl, env, previous.folder);
  const newer = await startServerProcess(services.databaseUrl, env);
  let turn = 0;
  const origin = () => {
    turn += 1;
    return turn % 2 === 0 ? older.ownUrl : newer.ownUrl;
  };
  const load = startLoad({ buyer, origin });
  await expect.poll(() => load.report().answered, { timeout: 600_000 }).toBeGreaterThan(REQUESTS);
  const { answered, refused, failures } = await load.stop();
  expect([refused, failures]).toEqual([0, []]);
  await Promise.all([older, newer].map((server) => server.kill("SIGTERM")));
  console.log(`${answered} requests, half of them to the previous release, none failed`);
  // Ends with this release's audit of what both have written.
  await services.dispose();
});

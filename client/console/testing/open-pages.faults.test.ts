import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scaled } from "../../../server/testing/faults/fault-runs.ts";
import { startProgram } from "../../../server/testing/program.ts";
import { startServerProcess } from "../../../server/testing/server-process.ts";
import { addPerson } from "../../../server/testing/test-people.ts";
import { openTestServices } from "../../../server/testing/test-shop.ts";
import { buildOnce } from "./browser.ts";
import { findChromium } from "./chromium.ts";
import type { OpenPagesInput } from "./open-pages.ts";
import type { OrderingInput } from "./ordering-program.ts";

const PAGES = 20;
const REFRESH_MS = 500;
/** Every other one goes the other way round. In each the browser opens its pages twice, which takes the most time. */
const ROUNDS = Math.max(2, scaled(6));
/** In each part of a round. */
const ORDERS = scaled(1_000);
const CODES = 30_000;
/** What may be open while orders come. */
const PARTS = {
  "no page": null,
  [`${PAGES} pages`]: { refreshMs: null },
  "and refreshed": { refreshMs: REFRESH_MS },
};

test.skipIf(findChromium() === null)(
  "orders beside twenty open pages, and beside none, in turn",
  async () => {
    buildOnce();
    const services = await openTestServices();
    const accountId = await services.addAccount("10000");
    const { key } = await services.addKey(accountId);
    const { productId } = await services.addProduct({ price: "0.01", codes: CODES });
    const { email, password } = await addPerson(services, accountId);
    const server = await startServerProcess(services.databaseUrl, {
      VALIDATE_RESPONSES: "off",
      LOG_LEVEL: "info",
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    const home = `${server.ownUrl}/account/${accountId}`;
    const times = Object.fromEntries(Object.keys(PARTS).map((name) => [name, [] as number[]]));
    const parts = Object.entries(PARTS);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, part] of round % 2 === 0 ? parts : parts.toReversed()) {
        const input = { baseUrl: server.baseUrl, key, productId, orders: ORDERS };
        const order = () => timesOfOrders(input);
        const took =
          part === null
            ? await order()
            : await withPages({ home, email, password, pages: PAGES, ...part }, order);
        expect(took).toHaveLength(ORDERS);
        times[name]?.push(...took);
      }
    for (const [name, took] of Object.entries(times)) console.log(`orders, ${name}: ${told(took)}`);
    await server.kill("SIGTERM");
    // Ends with the audit.
    await services.dispose();
  },
);

async function timesOfOrders(input: OrderingInput): Promise<number[]> {
  const program = startProgram(process.execPath, [join(import.meta.dirname, "ordering-program.ts")], {
    input: JSON.stringify(input),
  });
  return JSON.parse(await program.printed(/^\[/));
}

/** The browser stands for other machines: its work is not the shop's, so it gets what processor the shop and its buyer leave. */
async function withPages<T>(input: OpenPagesInput, work: () => Promise<T>): Promise<T> {
  const command = ["-n", "19", process.execPath, join(import.meta.dirname, "open-pages.ts")];
  const program = startProgram("nice", command, {
    input: JSON.stringify(input),
    env: process.env,
    leadsGroup: true,
  });
  try {
    await program.printed(/^open$/);
    return await work();
  } finally {
    await program.kill("SIGTERM");
  }
}

function told(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${sorted.length}`;
}

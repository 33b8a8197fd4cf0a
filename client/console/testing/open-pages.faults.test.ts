import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scaled } from "../../../server/testing/faults/fault-runs.ts";
import { measureProcess } from "../../../server/testing/process-figures.ts";
import { startProgram } from "../../../server/testing/program.ts";
import { startServerProcess } from "../../../server/testing/server-process.ts";
import { addPerson } from "../../../server/testing/test-people.ts";
import { openTestServices } from "../../../server/testing/test-shop.ts";
import { buildOnce } from "./browser.ts";
import { findChromium } from "./chromium.ts";
import type { OpenPagesInput } from "./open-pages.ts";
import type { OrderingInput } from "./ordering-program.ts";

const PAGES = 20;
const EVERY_MS = 500;
/** Every other one goes the other way round. In each the browser opens its pages twice, which takes the most time. */
const ROUNDS = Math.max(2, scaled(6));
/** In each part of a round. */
const ORDERS = scaled(1_000);
const SAMPLE_MS = 1_000;
const CODES = 30_000;
/** What may be open while orders come. */
const PARTS: Readonly<Record<string, OpenPagesInput["loadedBy"] | null>> = {
  "no page": null,
  [`${PAGES} pages`]: "nobody",
  "and what loading them again asks for": "program",
  "and loaded again by the browser": "browser",
};

/** What came of a part, in all rounds. */
interface Part {
  readonly name: string;
  readonly loadedBy: OpenPagesInput["loadedBy"] | null;
  readonly orderMs: number[];
  /** Of the service's processor, for the same orders in each part. */
  cpuMs: number;
  loads: number;
}

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
    const input = { baseUrl: server.baseUrl, key, productId, orders: ORDERS };
    const pages = { home, email, password, pages: PAGES, everyMs: EVERY_MS };
    const parts: Part[] = Object.entries(PARTS).map(([name, loadedBy]) => {
      return { name, loadedBy, orderMs: [], cpuMs: 0, loads: 0 };
    });
    // The first one takes what no later one takes again.
    await timesOfOrders(input);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const part of round % 2 === 0 ? parts : parts.toReversed()) {
        const measured = await withPages({ ...pages, loadedBy: part.loadedBy }, async () =>
          measureProcess(server, SAMPLE_MS, () => timesOfOrders(input)),
        );
        expect(measured.value.value).toHaveLength(ORDERS);
        part.orderMs.push(...measured.value.value);
        part.cpuMs += measured.value.cpuMs;
        part.loads += measured.loads;
      }
    for (const part of parts) console.log(told(part, parts));
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
async function withPages<T>(
  { loadedBy, ...input }: Omit<OpenPagesInput, "loadedBy"> & Pick<Part, "loadedBy">,
  work: () => Promise<T>,
): Promise<{ value: T; loads: number }> {
  if (loadedBy === null) return { value: await work(), loads: 0 };
  const command = ["-n", "19", process.execPath, join(import.meta.dirname, "open-pages.ts")];
  const program = startProgram("nice", command, {
    input: JSON.stringify({ loadedBy, ...input }),
    env: process.env,
    leadsGroup: true,
  });
  try {
    // With the second one, what the first has to set up is done.
    await program.printed(loadedBy === "nobody" ? /^open$/ : /^loaded 2$/);
    const loadsSoFar = () => program.output().match(/^loaded /gm)?.length ?? 0;
    const before = loadsSoFar();
    const value = await work();
    return { value, loads: loadsSoFar() - before };
  } finally {
    await program.kill("SIGTERM");
  }
}

/** The orders of a part; and what a load of a page costs the service, beside what the orders cost it without any. */
function told({ name, orderMs, cpuMs, loads }: Part, [without]: readonly Part[]): string {
  const sorted = orderMs.toSorted((one, other) => one - other);
  const at = (share: number) => rounded(sorted[Math.floor(sorted.length * share)] ?? 0);
  const aLoad = `; ${rounded((cpuMs - (without?.cpuMs ?? 0)) / loads)} ms for each of ${loads} loads`;
  return (
    `orders beside ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${sorted.length}; ` +
    `the service's processor ${Math.round(cpuMs)} ms${loads > 0 ? aLoad : ""}`
  );
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

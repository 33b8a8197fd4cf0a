import { expect, test } from "vitest";
import { openContract } from "../contract.ts";
import type { HookSettings } from "./hooks.ts";
import { type LiveShop, startLiveShop } from "./live-shop.ts";
import { orderingRequests } from "./ordering-requests.ts";
import { proxyRequests } from "./proxy-requests.ts";
import { reportOn } from "./report.ts";
import { runDredd } from "./run-dredd.ts";

const LIMIT_MS = 120_000;

test(
  "the live server gives every documented answer of the ordering interface",
  async () => {
    const shop = await startLiveShop();
    await expectEveryAnswer(shop, { name: "ordering", requests: orderingRequests(shop) });
  },
  LIMIT_MS,
);

test(
  "the live server gives every documented answer of the AI proxy",
  async () => {
    const shop = await startLiveShop();
    await expectEveryAnswer(shop, { name: "proxy", requests: proxyRequests(shop) });
  },
  LIMIT_MS,
);

async function expectEveryAnswer({ url, enter }: LiveShop, settings: HookSettings): Promise<void> {
  const { outcomes, complaints } = await runDredd(url, settings, enter);
  const { table, faults } = reportOn(openContract(settings.name).operations, outcomes);
  console.log(`Dredd, ${settings.name}:\n${table}`);
  const found = [...complaints, ...faults];
  if (found.length > 0) expect.fail(`The live server breaks the contract.\n\n${found.join("\n\n")}`);
}

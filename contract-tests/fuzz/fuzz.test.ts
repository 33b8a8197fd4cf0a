import { afterAll, beforeAll, describe, test } from "vitest";
import { addModels, startTestProxy, type TestProxy } from "../../server/testing/test-proxy.ts";
import { INTERFACES } from "../contract.ts";
import { CALLED_MODEL, callPlans, carryOutCalls, describeCalls } from "./call-sequence.ts";
import { type Ask, openConversation } from "./conversation.ts";
import { type FuzzShop, startFuzzShop } from "./fuzz-shop.ts";
import { operationProperties } from "./operation-properties.ts";
import { carryOutOrders, describeOrders, orderPlans } from "./order-sequence.ts";
import { checkProperty, type PropertyRun, readFuzzSettings } from "./property.ts";
import { openSender, type Sender } from "./request.ts";
import { openSpec } from "./spec.ts";
import { createTally } from "./tally.ts";

const PROGRESS_MS = 5_000;
const MOST_MS = 60 * 60_000;
/** How much of all requests goes into each kind of sequence. */
const SEQUENCE_SHARE = 0.1;
/** How many requests a sequence has, about. */
const SEQUENCE_LENGTH = 15;

const settings = readFuzzSettings();
const tally = createTally();
const isWanted = ({ name }: { name: string }) => name.includes(settings.only);
const specs = INTERFACES.map(openSpec);
const properties = specs.flatMap(operationProperties).filter(isWanted);
const sequences = [sequenceOfOrders(), sequenceOfCalls()].filter(isWanted);

if (properties.length + sequences.length === 0)
  throw new Error(`No property has ${JSON.stringify(settings.only)} in its name.`);

let shop: FuzzShop;
// A shop of its own: sequences add a product each, and lists of them would become long.
let sequenceShop: TestProxy;
let sender: Sender;
let progress: NodeJS.Timeout;
beforeAll(async () => {
  [shop, sequenceShop] = await Promise.all([startFuzzShop(settings.runs), startTestProxy()]);
  await addModels(sequenceShop, [CALLED_MODEL.modelId], CALLED_MODEL);
  sender = openSender(sequenceShop.proxyUrl, {});
  progress = setInterval(
    () => process.stdout.write(`${tally.total} of about ${settings.runs} requests\n`),
    PROGRESS_MS,
  );
}, MOST_MS);
afterAll(async () => {
  clearInterval(progress);
  sender?.close();
  const summary = settings.isOwnRun ? tally.describe() : `${tally.total} requests made from the documents.`;
  process.stdout.write(`${summary}\nTheir seed was ${settings.seed}.\n`);
  // Stopping a shop runs the audit of its books.
  await Promise.all([shop?.stop(), sequenceShop?.stop()]);
}, MOST_MS);

describe.concurrent("requests made from the documents", { timeout: MOST_MS }, () => {
  const weights = properties.reduce((sum, { weight }) => sum + weight, 0);
  const requests = settings.runs * (1 - SEQUENCE_SHARE * sequences.length);

  test.for(properties)("$name", async ({ weight, check }) => {
    await check(shop, tally, { ...settings, runs: Math.ceil((requests * weight) / weights) });
  });

  test.for(sequences)("$name", async ({ check }) => {
    const share = properties.length === 0 ? 1 / sequences.length : SEQUENCE_SHARE;
    await check(Math.ceil((settings.runs * share) / SEQUENCE_LENGTH));
  });
});

function sequenceOfOrders() {
  const spec = openSpec("ordering");
  const openAsk = (key: string): Ask =>
    openConversation(spec, sender, tally, { authorization: `Bearer ${key}` });
  return sequence({
    name: "ordering sequences",
    values: orderPlans(spec),
    check: (plan) => carryOutOrders(plan, sequenceShop, openAsk),
    describe: describeOrders,
  });
}

function sequenceOfCalls() {
  const spec = openSpec("proxy");
  const openAsk = (key: string): Ask => openConversation(spec, sender, tally, { "x-api-key": key });
  return sequence({
    name: "proxy sequences",
    values: callPlans(),
    check: (plan) => carryOutCalls(plan, sequenceShop, openAsk),
    describe: describeCalls,
  });
}

function sequence<Plan>(run: Omit<PropertyRun<Plan>, "runs" | "seed" | "path">) {
  const check = (runs: number) => checkProperty({ ...run, ...settings, runs });
  return { name: run.name, check };
}

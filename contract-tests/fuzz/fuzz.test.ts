import { afterAll, beforeAll, describe, test } from "vitest";
import { startTestAiProxy, type TestAiProxy } from "../../server/testing/test-ai-proxy.ts";
import { INTERFACES } from "../contract.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import type { OpenAsk } from "./ask.ts";
import { type FuzzShop, startFuzzShop } from "./fuzz-shop.ts";
import { operationProperties } from "./operation-properties.ts";
import { checkProperty, readFuzzSettings } from "./property.ts";
import { openSender, type Sender } from "./request.ts";
import { openRequestSequence } from "./request-sequence.ts";
import { openSpec, type Spec } from "./spec.ts";
import { createTally } from "./tally.ts";

const PROGRESS_MS = 5_000;
const MAX_MS = 60 * 60_000;
/** How much of all requests goes into each kind of sequence. */
const SEQUENCE_SHARE = 0.1;
/** How many requests a sequence has, about. */
const SEQUENCE_LENGTH = 15;

const settings = readFuzzSettings();
const tally = createTally();
const isWanted = ({ name }: { name: string }) => name.includes(settings.only);
const subjects = await Promise.all(
  INTERFACES.map(async (name) => ({ spec: openSpec(name), ...(await interfaceUnderTest(name)) })),
);
type Subject = (typeof subjects)[number];
const properties = subjects.flatMap(({ spec, fuzz }) => operationProperties(spec, fuzz)).filter(isWanted);
const sequences = subjects.flatMap(sequencesOf).filter(isWanted);

if (properties.length + sequences.length === 0)
  throw new Error(`No property has ${JSON.stringify(settings.only)} in its name.`);

let shop: FuzzShop;
// A shop of its own: sequences add a product each, and lists of them would become long.
let sequenceShop: TestAiProxy;
let sender: Sender;
let progress: NodeJS.Timeout;
beforeAll(async () => {
  [shop, sequenceShop] = await Promise.all([startFuzzShop(settings.runs), startTestAiProxy()]);
  for (const { fuzz } of subjects) await fuzz.sequence?.prepare(sequenceShop);
  sender = openSender(sequenceShop.proxyUrl, {});
  progress = setInterval(
    () => process.stdout.write(`${tally.total} of about ${settings.runs} requests\n`),
    PROGRESS_MS,
  );
}, MAX_MS);
afterAll(async () => {
  clearInterval(progress);
  sender?.close();
  const summary = settings.isOwnRun ? tally.describe() : `${tally.total} requests made from the documents.`;
  process.stdout.write(`${summary}\nTheir seed was ${settings.seed}.\n`);
  // Stopping a shop runs the audit of its books.
  await Promise.all([shop?.stop(), sequenceShop?.stop()]);
}, MAX_MS);

describe.concurrent("requests made from the documents", { timeout: MAX_MS }, () => {
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

function specOf(interfaceName: string): Spec {
  const subject = subjects.find(({ spec }) => spec.name === interfaceName);
  if (subject === undefined) throw new Error(`There is no interface ${interfaceName}.`);
  return subject.spec;
}

function sequencesOf({ spec, fuzz: { sequence } }: Subject) {
  if (sequence === null) return [];
  const openAsk: OpenAsk = (credential, interfaceName = spec.name) =>
    openRequestSequence(specOf(interfaceName), sender, tally, credential);
  const name = `${spec.name} sequences`;
  const check = (runs: number) =>
    checkProperty({
      ...settings,
      name,
      runs,
      values: sequence.plans(spec),
      check: (plan) => sequence.runPlan(plan, sequenceShop, openAsk),
      describe: (plan) => sequence.describe(plan),
    });
  return [{ name, check }];
}

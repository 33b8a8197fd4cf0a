import fc from "fast-check";
import { expect, test } from "vitest";
import { chargeOf } from "../calls/bill.ts";
import { highestChargeAfter, highestChargeOf, type UsageBounds } from "../calls/highest-charge.ts";
import { NO_TOKENS } from "../calls/token-usage.ts";
import { InvalidInputError } from "../errors.ts";
import type { ModelPrices } from "../models/prices.ts";
import { billForUsage } from "../simulators/upstream/bill.ts";
import type { MessageRequest } from "../simulators/upstream/message-request.ts";
import { replyTo } from "../simulators/upstream/reply.ts";
import { toldAtTheBeginning } from "../simulators/upstream/told-usage.ts";
import { anyMessageRequest } from "../testing/any-message-request.ts";
import { DISTINCT_PRICES } from "../testing/test-ai-proxy.ts";
import { usd } from "../testing/test-shop.ts";
import { askedTermsOf } from "./asked-terms.ts";
import { boundsOf } from "./call-bounds.ts";
import { readRequest } from "./read-request.ts";
import { withReported } from "./reported-usage.ts";

const MODEL_ID = "sim-echo";
const TIER = { ...DISTINCT_PRICES, aboveInputTokens: 2_000, cacheWriteHourMicrocents: usd("12") };
const PRICES: ModelPrices = {
  ...DISTINCT_PRICES,
  further: {
    cacheWriteHourMicrocents: usd("6"),
    tiers: [{ ...TIER, inputMicrocents: usd("6"), outputMicrocents: usd("22.5") }],
    factors: { speed: { fast: 600 }, inferenceGeo: { us: 110 }, serviceTier: { priority: 150 } },
    // Dearer than what its results come to.
    toolUses: { web_search: usd("5") },
  },
};
const MODEL = { modelId: MODEL_ID, prices: PRICES, maxOutputTokens: 5_000 };
/** Little beside a picture of the most tokens, which few requests by chance are. */
const PICTURE_ALONE = {
  model: MODEL_ID,
  max_tokens: 1,
  messages: [
    {
      role: "user",
      content: [
        {
          type: "image",
          source: { type: "base64", media_type: "image/png", data: "A".repeat(30_000) },
        },
      ],
    },
  ],
};

test("the hold covers what the upstream bills, whatever the request holds, also when it was lowered", () => {
  let covered = 0;
  let lowered = 0;
  fc.assert(
    fc.property(anyMessageRequest([MODEL_ID]), (written) => {
      const body = Buffer.from(JSON.stringify(written));
      const json = JSON.parse(body.toString()) as MessageRequest & { speed?: string; inference_geo?: string };
      const bounds = mostOf(body, json);
      // What it asks for is not offered.
      if (bounds === null) return;
      const hold = highestChargeOf(bounds, PRICES);
      const { usage, told } = replyTo(json, { kind: "sim-echo", number: 0 }, "msg_1");
      const billed = billForUsage(told, json, new Map([[MODEL_ID, PRICES]]));
      expect(billed).toBeLessThanOrEqual(hold);
      const asked = askedTermsOf(json);
      const { amountMicrocents } = chargeOf(usage, {
        model: MODEL,
        ...(asked === undefined ? {} : { asked }),
      });
      expect(amountMicrocents).toBeLessThanOrEqual(hold);
      covered += 1;
      const seen = withReported(NO_TOKENS, toldAtTheBeginning(told)) ?? NO_TOKENS;
      const left = highestChargeAfter(seen, bounds, PRICES);
      if (left === null) return;
      expect(billed).toBeLessThanOrEqual(left);
      if (left < hold) lowered += 1;
    }),
    { numRuns: 1_000, examples: [[PICTURE_ALONE as never]] },
  );
  expect(covered).toBeGreaterThan(300);
  expect(lowered).toBeGreaterThan(30);
});

function mostOf(body: Buffer, json: MessageRequest): UsageBounds | null {
  try {
    const facts = readRequest(body, json);
    return boundsOf(facts, { model: MODEL, maxTokens: json.max_tokens });
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

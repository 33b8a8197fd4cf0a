import type { components } from "../../../generated/proxy/types.ts";
import { type Bill, type BillItem, pricePer } from "../../calls/bill.ts";
import type { CallOutcome, UsageRecord } from "../../calls/call.ts";
import { toJsonInteger } from "../../money/microcents.ts";
import type { SameValues } from "../same-values.ts";

type Schemas = components["schemas"];

const OUTCOMES: SameValues<Schemas["CallOutcome"], CallOutcome> = {
  completed: "completed",
  client_aborted: "client_aborted",
  upstream_failed: "upstream_failed",
  rejected: "rejected",
};

export function toApiUsageList(records: readonly UsageRecord[]): Schemas["UsageList"] {
  return { data: records.map(toApiUsageRecord) };
}

function toApiUsageRecord(record: UsageRecord): Schemas["UsageRecord"] {
  const { usage, balanceAfterMicrocents } = record;
  return {
    id: record.callId,
    created_at: new Date(record.createdAtMs).toISOString(),
    model: record.modelId,
    outcome: record.outcome && OUTCOMES[record.outcome],
    estimated: record.estimated,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    amount_microcents: toJsonInteger(record.amountMicrocents),
    balance_after_microcents: balanceAfterMicrocents === null ? null : toJsonInteger(balanceAfterMicrocents),
    request_id: record.requestId,
    upstream_request_id: record.upstreamRequestId,
    ...(record.bill === null ? {} : toApiBill(record.bill)),
  };
}

/** What of a record is there only when more was charged for than tokens at plain prices. */
function toApiBill({ items, speed, inferenceGeo, serviceTier }: Bill) {
  return {
    ...(speed === null ? {} : { speed }),
    ...(inferenceGeo === null ? {} : { inference_geo: inferenceGeo }),
    ...(serviceTier === null ? {} : { service_tier: serviceTier }),
    items: items.map(toApiBillItem),
  };
}

function toApiBillItem(item: BillItem): Schemas["BillItem"] {
  const { priceMicrocents, per } = pricePer(item);
  return {
    part: item.part,
    model: item.modelId,
    kind: item.kind,
    quantity: item.quantity,
    price_microcents: toJsonInteger(priceMicrocents),
    per,
    factor_millionths: item.factorMillionths,
  };
}

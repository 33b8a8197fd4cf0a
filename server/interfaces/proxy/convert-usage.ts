import type { components } from "../../../generated/proxy/types.ts";
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
  };
}

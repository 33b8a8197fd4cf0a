import type { Account } from "../../../server/accounts/account.ts";
import type { UsageRecord } from "../../../server/calls/call.ts";
import type { AccountId, CallId, KeyId } from "../../../server/ids.ts";
import type { ApiKey, Caller } from "../../../server/keys/api-key.ts";
import type { LedgerEntry } from "../../../server/ledger/ledger-entry.ts";
import type { Model } from "../../../server/models/model.ts";
import { microcents } from "../../../server/money/microcents.ts";
import type { FieldCase, FieldCases } from "../../fields/field-case.ts";

const CALLER: Caller = {
  accountId: "acc_caller" as AccountId,
  keyId: "key_caller" as KeyId,
  kind: "general",
  rpmLimit: 1_000_000,
  callsInFlightLimit: null,
  lowersMaxTokens: false,
  orderCapMicrocents: null,
  dailyCapMicrocents: null,
};

const ACCOUNT: Account = {
  accountId: "acc_own" as AccountId,
  name: "Own, Ltd",
  status: "active",
  rpmLimit: 77,
  balanceMicrocents: microcents(12_345_678_912n),
  reservedMicrocents: microcents(2_345_678_901n),
  scoreMicrocents: microcents(30_000_000_001n),
  createdAtMs: 1_700_000_001_000,
  callsInFlightLimit: 9,
  lowersMaxTokens: true,
  orderCapCeilingMicrocents: microcents(13n),
  dailyCapCeilingMicrocents: microcents(14n),
};
const KEY: ApiKey = {
  keyId: "key_own" as KeyId,
  accountId: "acc_of_the_key" as AccountId,
  kind: "general",
  status: "revoked",
  preview: "svc_sk_ab12…wxyz",
  name: "Own key",
  createdAtMs: 1_700_000_002_000,
  expiresAtMs: 1_700_000_003_000,
  lastUsedAtMs: 1_700_000_004_000,
  orderCapMicrocents: microcents(11n),
  dailyCapMicrocents: microcents(12n),
  orderCapCeilingMicrocents: microcents(15n),
  dailyCapCeilingMicrocents: microcents(16n),
  formerSecrets: [],
};

const MODEL: Model = {
  modelId: "own-1",
  name: "Own, the first",
  prices: {
    inputMicrocents: microcents(101n),
    outputMicrocents: microcents(102n),
    cacheWriteMicrocents: microcents(103n),
    cacheReadMicrocents: microcents(104n),
  },
  maxOutputTokens: 64_000,
  facts: {
    lifecycle: "active",
    maxInputTokens: 200_000,
    capabilities: { thinking: { supported: true }, batch: { supported: true } },
    aliases: ["own-latest"],
  },
  enabled: true,
  createdAtMs: Date.parse("2031-05-06T07:08:09.876Z"),
};
const OLDER: Model = {
  modelId: "own-0",
  name: "Own, the one before",
  prices: {
    inputMicrocents: microcents(201n),
    outputMicrocents: microcents(202n),
    cacheWriteMicrocents: microcents(203n),
    cacheReadMicrocents: microcents(204n),
  },
  maxOutputTokens: null,
  facts: { lifecycle: "deprecated", maxInputTokens: null, capabilities: null, aliases: [] },
  enabled: true,
  createdAtMs: Date.parse("2031-05-06T07:08:08.765Z"),
};
const OLDEST: Model = {
  modelId: "own-00",
  name: "Own, the very first",
  prices: {
    inputMicrocents: microcents(301n),
    outputMicrocents: microcents(302n),
    cacheWriteMicrocents: microcents(303n),
    cacheReadMicrocents: microcents(304n),
  },
  maxOutputTokens: 4_000,
  enabled: true,
  createdAtMs: Date.parse("2031-05-06T07:08:07.654Z"),
};
const API_MODEL = {
  type: "model",
  id: "own-1",
  display_name: "Own, the first",
  created_at: "2031-05-06T07:08:09.876Z",
  lifecycle: "active",
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: { thinking: { supported: true }, batch: { supported: false } },
};

const RECORD: UsageRecord = {
  callId: "call_own" as CallId,
  accountId: "acc_own" as AccountId,
  keyId: "key_own" as KeyId,
  modelId: "own-1",
  outcome: "client_aborted",
  estimated: true,
  usage: { inputTokens: 1_001, outputTokens: 1_002, cacheWriteTokens: 1_003, cacheReadTokens: 1_004 },
  bill: {
    items: [
      {
        part: "own-part",
        modelId: "own-2",
        kind: "input",
        quantity: 51,
        priceMicrocents: microcents(52n),
        factorMillionths: 6_000_000,
      },
      {
        part: "own-message",
        modelId: "own-3",
        kind: "web_search",
        quantity: 53,
        priceMicrocents: microcents(54_000_000n),
        factorMillionths: 55,
      },
    ],
    speed: "own-speed",
    inferenceGeo: "own-region",
    serviceTier: "own-tier",
    unpriced: ["own-unpriced"],
  },
  amountMicrocents: microcents(41n),
  balanceAfterMicrocents: microcents(42n),
  requestId: "own-request",
  upstreamRequestId: "own-upstream-request",
  createdAtMs: Date.parse("2031-05-06T07:08:09.876Z"),
  endedAtMs: Date.parse("2031-05-06T07:08:10.987Z"),
};
const API_RECORD = {
  id: "call_own",
  created_at: "2031-05-06T07:08:09.876Z",
  model: "own-1",
  outcome: "client_aborted",
  estimated: true,
  input_tokens: 1_001,
  output_tokens: 1_002,
  cache_creation_input_tokens: 1_003,
  cache_read_input_tokens: 1_004,
  amount_microcents: 41,
  balance_after_microcents: 42,
  request_id: "own-request",
  upstream_request_id: "own-upstream-request",
  speed: "own-speed",
  inference_geo: "own-region",
  service_tier: "own-tier",
  items: [
    {
      part: "own-part",
      model: "own-2",
      kind: "input",
      quantity: 51,
      price_microcents: 52,
      per: 1_000_000,
      factor_millionths: 6_000_000,
    },
    {
      part: "own-message",
      model: "own-3",
      kind: "web_search",
      quantity: 53,
      price_microcents: 54,
      per: 1,
      factor_millionths: 55,
    },
  ],
};

const ENTRY: LedgerEntry = {
  accountId: "acc_own" as AccountId,
  sequence: 17,
  type: "adjustment",
  amountMicrocents: microcents(-18n),
  balanceAfterMicrocents: microcents(19n),
  reference: "own-reference",
  note: "own note",
  createdAtMs: Date.parse("2031-05-06T07:08:09.876Z"),
};

const CASES: readonly FieldCase[] = [
  {
    operationId: "getAccount",
    gives: { "accounts.get": ACCOUNT, "keys.get": KEY },
    asked: { "accounts.get": [CALLER.accountId], "keys.get": [CALLER.keyId] },
    answer: {
      account: {
        id: "acc_own",
        status: "active",
        balance_microcents: 12_345_678_912,
        reserved_microcents: 2_345_678_901,
        available_microcents: 10_000_000_011,
        rpm_limit: 77,
      },
      key: { id: "key_own", key_preview: "svc_sk_ab12…wxyz", status: "revoked" },
    },
  },
  {
    operationId: "listModels",
    query: "limit=2",
    gives: { "models.offered": [MODEL, OLDER, OLDEST] },
    asked: { "models.offered": [] },
    answer: {
      data: [
        API_MODEL,
        {
          type: "model",
          id: "own-0",
          display_name: "Own, the one before",
          created_at: "2031-05-06T07:08:08.765Z",
          lifecycle: "deprecated",
          max_input_tokens: null,
          max_tokens: null,
          capabilities: null,
        },
      ],
      has_more: true,
      first_id: "own-1",
      last_id: "own-0",
    },
  },
  {
    operationId: "listModels",
    name: "after a model",
    query: "limit=2&after_id=own-0",
    gives: { "models.offered": [MODEL, OLDER, OLDEST] },
    asked: { "models.offered": [] },
    answer: {
      data: [
        {
          type: "model",
          id: "own-00",
          display_name: "Own, the very first",
          created_at: "2031-05-06T07:08:07.654Z",
          lifecycle: "active",
          max_input_tokens: null,
          max_tokens: 4_000,
          capabilities: null,
        },
      ],
      has_more: false,
      first_id: "own-00",
      last_id: "own-00",
    },
  },
  {
    operationId: "listModels",
    name: "before a model",
    query: "limit=1&before_id=own-0",
    gives: { "models.offered": [OLDER, MODEL] },
    asked: { "models.offered": [] },
    answer: { data: [API_MODEL], has_more: false, first_id: "own-1", last_id: "own-1" },
  },
  {
    operationId: "getModel",
    path: { model_id: "asked-1" },
    gives: { "models.findOffered": MODEL },
    asked: { "models.findOffered": ["asked-1"] },
    answer: API_MODEL,
  },
  {
    operationId: "listUsage",
    query: "limit=6",
    gives: { "calls.list": [RECORD] },
    asked: { "calls.list": [CALLER.accountId, 6] },
    answer: { data: [API_RECORD] },
  },
  {
    operationId: "listLedger",
    query: "limit=6",
    gives: { "ledger.list": [ENTRY] },
    asked: { "ledger.list": [CALLER.accountId, 6] },
    answer: {
      data: [
        {
          id: "led_17",
          created_at: "2031-05-06T07:08:09.876Z",
          type: "adjustment",
          amount_microcents: -18,
          balance_after_microcents: 19,
          reference: "own-reference",
        },
      ],
    },
  },
];

/** What the AI proxy makes of what its use cases give. */
export const fieldCases: FieldCases = {
  admits: { "keys.authenticate": CALLER },
  cases: CASES,
  // Of both ids only one may be given, and what is in trial is the upstream's.
  notAtOnce: ["after_id", "before_id", "beta"],
};

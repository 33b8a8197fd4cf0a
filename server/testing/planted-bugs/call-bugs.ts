import type { PlantedBug } from "./planted-bug.ts";

/** Faults of calls to models. */
export const CALL_BUGS: readonly PlantedBug[] = [
  {
    name: "call-begins-without-funds",
    description: "A call begins whatever the available balance is.",
    file: "server/calls/write-calls.ts",
    find: "if (!covered) throw InsufficientBalanceError.ofCall(first.holdMicrocents);",
    replace: "void covered;",
    caughtBy: "server/calls/races.test.ts",
  },
  {
    name: "call-charged-what-was-held",
    description: "A call is charged the most that it could cost.",
    file: "server/calls/write-calls.ts",
    find: "chargeMicrocents: ending.amountMicrocents",
    replace: "chargeMicrocents: ending.holdMicrocents || ending.amountMicrocents",
    caughtBy: "server/calls/calls.test.ts",
  },
  {
    name: "call-begins-on-what-another-cost",
    description: "A call that begins as another of its account ends may have what that one cost.",
    file: "server/ledger/funds.ts",
    find: "return isCovered(own);",
    replace: "return isCovered(own) || own.after.ledger_sequence > own.before.ledger_sequence;",
    caughtBy: "server/ledger/funds.test.ts",
  },
  {
    name: "call-cost-rounded-down",
    description: "What a call costs is rounded down.",
    file: "server/calls/token-usage.ts",
    find: "(millionths + TOKENS_PER_PRICE - 1n)",
    replace: "millionths",
    caughtBy: "server/calls/token-usage.test.ts",
  },
  {
    name: "cache-reads-priced-as-input",
    description: "Tokens that were read from the prompt cache cost as much as new ones.",
    file: "server/calls/token-usage.ts",
    find: "prices.cacheReadMicrocents",
    replace: "prices.inputMicrocents",
    caughtBy: "server/calls/token-usage.test.ts",
  },
  {
    name: "abandoned-call-for-free",
    description: "A call whose process died is charged nothing, whatever was recorded of it.",
    file: "server/calls/recovery.ts",
    find: "amountMicrocents: costOf(call.usage, prices),",
    replace: "amountMicrocents: (costOf(call.usage, prices) * 0n) as typeof call.holdMicrocents,",
    caughtBy: "server/calls/crashes.test.ts",
  },
  {
    name: "lost-beginning-held-twice",
    description: "A call whose beginning was committed without an answer is begun again under another id.",
    file: "server/calls/calls.ts",
    find: "if (inDoubt && isDuplicateKey(error)) return;",
    replace: 'if (inDoubt && isDuplicateKey(error)) return writeCall({ ...call, callId: newId("call") });',
    caughtBy: "server/calls/lost-commits.test.ts",
  },
];

import type { PlantedBug } from "./planted-bug.ts";

/** Faults by which one caller's requests get in the way of others'. */
export const REQUEST_BUGS: readonly PlantedBug[] = [
  {
    name: "values-are-not-counted",
    description: "A body may hold as many values as fit into it.",
    file: "server/http/json-parser.ts",
    find: "if (this.values > MAX_VALUES)",
    replace: "if (this.values > Number.MAX_SAFE_INTEGER)",
    caughtBy: "server/http/json-parser.test.ts",
  },
  {
    name: "compressed-bodies-are-read",
    description: "A compressed body is taken for what it is not.",
    file: "server/http/body.ts",
    find: 'if (encoding.toLowerCase() !== "identity") return "The body must not be compressed.";',
    replace: "void encoding;",
    caughtBy: "server/interfaces/proxy/large-requests.http.test.ts",
  },
  {
    name: "bodies-are-not-bounded-by-account",
    description: "One account may take all the memory that there is for bodies.",
    file: "server/http/body-memory.ts",
    find: 'if (takenByAccount > accountBytes) throw new BusyError("account");',
    replace: "void accountBytes;",
    caughtBy: "server/http/body-memory.test.ts",
  },
  {
    name: "body-is-kept-until-the-answer",
    description: "Every open stream keeps its request.",
    file: "server/messages/upstream.ts",
    find: "      body.release();\n",
    replace: "",
    caughtBy: "server/messages/upstream.test.ts",
  },
  {
    name: "looks-without-a-budget",
    description: "Buyers who only look use up the supplier's request limit.",
    file: "server/suppliers/quotes.ts",
    find: "!quotes.has(key) && !looks.take()",
    replace: "!quotes.has(key) && !looks.take() && qty === 0",
    caughtBy: "server/suppliers/quotes.test.ts",
  },
  {
    name: "rest-without-an-end",
    description: "A supplier that asks to be left alone for a year is not looked at for a year.",
    file: "server/suppliers/look-budget.ts",
    find: "clock() + Math.min(retryAfterMs, MINUTE_MS)",
    replace: "clock() + retryAfterMs",
    caughtBy: "server/suppliers/quotes.test.ts",
    test: "for as long as it asks",
  },
  {
    name: "looks-for-money-that-is-set-aside",
    description:
      "Who cannot pay for now, and could with what is set aside, uses up the supplier's request limit.",
    file: "server/orders/judge-request.ts",
    find: "amount <= subtract(balanceMicrocents, reservedMicrocents)",
    replace: "amount <= balanceMicrocents",
    caughtBy: "server/interfaces/ordering/looks-at-suppliers.http.test.ts",
    test: "that is set aside",
  },
  {
    name: "revoked-again-at-another-time",
    description: "A key that is revoked again was revoked later, so that a loss is taken to begin later.",
    file: "server/keys/key-store.ts",
    find: "WHERE key_id = ? AND status = 'active'\"",
    replace: 'WHERE key_id = ?"',
    caughtBy: "server/operator/operator.test.ts",
    test: "revoking again changes nothing",
  },
];

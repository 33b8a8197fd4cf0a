import { expect, test } from "vitest";
import type { Operation } from "../contract.ts";
import { type Outcome, reportOn } from "./report.ts";

const response = (...mediaTypes: string[]) => ({
  headers: {},
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: {}, examples: {} }])),
});
const operation = (operationId: string, responses: Operation["responses"]): Operation => ({
  operationId,
  method: "POST",
  path: `/${operationId}`,
  ignoresUnknownQuery: false,
  admissions: [],
  parameters: [],
  browserHeaders: {},
  responses,
});
const operations = [
  operation("say", {
    200: response("application/json", "text/event-stream"),
    429: response("application/json"),
  }),
  operation("forget", { 204: response() }),
];
const passed = (operationId: string, answer: string): Outcome => ({
  operationId,
  answer,
  skipped: false,
  faults: [],
});
const all = [
  passed("forget", "204"),
  passed("say", "429"),
  passed("say", "200 text/event-stream"),
  passed("say", "200"),
];

test("every answer that is documented has its place in the table", () => {
  expect(reportOn(operations, all)).toEqual({
    table: [
      "say     200 ✓  200 text/event-stream ✓  429 ✓",
      "forget  204 ✓",
      "4 of 4 documented answers, 0 skipped",
    ].join("\n"),
    faults: [],
  });
});

test.each<[string, Outcome[], string, string]>([
  ["that no transaction asked for", all.slice(1), "3 of 4", "forget 204:\n  no transaction asked for it"],
  [
    "of another media type that none asked for",
    all.toSpliced(2, 1),
    "3 of 4",
    "say 200 text/event-stream:\n  no ",
  ],
  [
    "that two asked for",
    [...all, ...all.slice(0, 1)],
    "3 of 4",
    "forget 204:\n  2 transactions asked for it",
  ],
  ["that is not documented", [...all, passed("say", "418")], "4 of 4", "say 418:\n  it is not documented"],
  [
    "whose transaction was skipped",
    [...all.slice(1), { ...passed("forget", "204"), skipped: true }],
    "3 of 4 documented answers, 1 skipped",
    "forget 204:\n  its transaction was skipped",
  ],
  [
    "that was not as documented",
    [...all.slice(1), { ...passed("forget", "204"), faults: ["Dredd: a", "OpenAPI 3.1: b"] }],
    "3 of 4",
    "forget 204:\n  Dredd: a\n  OpenAPI 3.1: b",
  ],
])("an answer %s is a fault", (_, outcomes, counts, fault) => {
  const report = reportOn(operations, outcomes);
  expect(report.table).toContain(counts);
  expect(report.faults).toEqual([expect.stringContaining(fault)]);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { lint } from "./lint.ts";

/** A document in which each rule of lint-rules.js is broken in every way that it knows, and no other rule. */
const FAULTY = {
  openapi: "3.1.0",
  "x-guide": { steps: ["createNote"] },
  info: { title: "Faulty", version: "1.0.0", description: "…", license: { name: "MIT", identifier: "MIT" } },
  servers: [{ url: "https://{host}", variables: { host: { default: "shop.example.com" } } }],
  tags: [{ name: "Notes", description: "…" }],
  paths: {
    "/notes": {
      get: {
        operationId: "listNotes",
        tags: ["Notes"],
        summary: "…",
        deprecated: true,
        description: "…",
        security: [{ key: [] }],
        parameters: [
          { name: "state", in: "query", description: "…", schema: { $ref: "#/components/schemas/State" } },
          { name: "any", in: "query", description: "…", schema: { type: "string" } },
        ],
        responses: {
          200: answer({ $ref: "#/components/schemas/Answered" }, ["notes"]),
          404: answer({ $ref: "#/components/schemas/Answered" }, ["nothing"]),
        },
      },
      post: {
        operationId: "createNote",
        tags: ["Notes"],
        summary: "…",
        description: "…",
        security: [{ key: [] }],
        requestBody: body({ $ref: "#/components/schemas/Sent" }, ["short", "sent_only"]),
        responses: {
          200: answer({ type: "object", additionalProperties: false }, ["short", "answered_only"]),
          400: answer({ $ref: "#/components/schemas/Answered" }, ["refused"]),
        },
      },
    },
  },
  components: {
    schemas: {
      Sent: { type: "object", properties: { open: { type: "string" } } },
      Answered: {
        type: "object",
        additionalProperties: false,
        properties: {
          count: { type: "integer" },
          widest: { type: ["integer", "null"], format: "int32", minimum: 0 },
          state: { type: ["string", "null"], enum: ["new", null] },
          inner: { type: "object", additionalProperties: false },
          union: { anyOf: [{ type: "string" }, { type: "boolean" }] },
          allowed: { anyOf: [{ $ref: "#/components/schemas/State" }, { type: "null" }] },
          readAt: { type: "integer", format: "int64", minimum: 0 },
          madeAt: { type: "integer", format: "int64", minimum: 0, maximum: 253402300799 },
          small: { type: "integer", format: "int32", minimum: 0, maximum: 10, deprecated: true },
          told: { type: "string", deprecated: true, description: "Deprecated: read `small`." },
        },
      },
      State: { type: "string", enum: ["new"] },
    },
    securitySchemes: { key: { type: "http", scheme: "bearer", bearerFormat: "svc_sk_…" } },
  },
};

function body(schema: object, examples: readonly string[]) {
  const named = Object.fromEntries(examples.map((name) => [name, { value: {} }]));
  return { content: { "application/json": { schema, examples: named } } };
}

function answer(schema: object, examples: readonly string[]) {
  const requestId = { description: "…", schema: { type: "string" } };
  return { description: "…", headers: { "X-Request-Id": requestId }, ...body(schema, examples) };
}

let reported: string[];
// Redocly takes a second to start, so all faults are in one document.
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "shop-faulty-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(FAULTY));
    const problems = await lint([file], "redocly.yaml");
    reported = problems.map(
      ({ ruleId, message, location: [place] }) => `${ruleId}: ${place?.pointer} ${message}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [
    "shop/guide-steps: #/x-guide/steps/0",
    "The guide's step `createNote` is no operation with `x-codeSamples`.",
  ],
  ["shop/closed-objects: #/components/schemas/Sent", "An object schema needs `additionalProperties: false`."],
  [
    "shop/integers-have-width: #/components/schemas/Answered/properties/count",
    "An integer needs `format: int64`, or `int32`.",
  ],
  [
    "shop/integers-have-width: #/components/schemas/Answered/properties/widest/format",
    "Only limits within 32 bits make an integer `int32`.",
  ],
  [
    "shop/named-schemas: #/paths/~1notes/post/responses/200/content/application~1json/schema",
    "The schema of a body needs a name.",
  ],
  ["shop/named-schemas: #/components/schemas/Answered/properties/inner", "An object schema needs a name."],
  ["shop/named-schemas: #/components/schemas/Answered/properties/union", "A union needs a name."],
  [
    "shop/enums-without-null: #/components/schemas/Answered/properties/state/enum",
    "An enum lists no `null`.",
  ],
  [
    "shop/times-have-bounds: #/components/schemas/Answered/properties/readAt",
    "The time `readAt` needs `maximum: 253402300799`, the end of the year 9999 in seconds.",
  ],
  [
    "shop/paired-examples: #/paths/~1notes/post/requestBody",
    "No answer has an example of the name `sent_only`, as the request has.",
  ],
  [
    "shop/paired-examples: #/paths/~1notes/post/responses",
    "The request has no example of the name `answered_only`, as the answer has.",
  ],
  [
    "shop/input-may-be-refused: #/paths/~1notes/get/responses",
    "An operation that takes `state` documents a 400.",
  ],
  [
    "shop/distinct-summaries: #/paths/~1notes/post/summary",
    "The summary of `createNote` is that of `listNotes`.",
  ],
  [
    "shop/deprecations-are-told: #/paths/~1notes/get/deprecated",
    "What is `deprecated` says so in its description, with what to use instead.",
  ],
  [
    "shop/deprecations-are-told: #/components/schemas/Answered/properties/small/deprecated",
    "What is `deprecated` says so in its description, with what to use instead.",
  ],
  [
    "rule/no-bearer-format: #/components/securitySchemes/key/bearerFormat",
    "Generators take a `bearerFormat` for what they have to send before the key.",
  ],
])("%s", (place, message) => {
  expect(reported).toContain(`${place} ${message}`);
});

test("nothing else is reported: what is right passes, and each fault breaks one rule", () => {
  expect(reported).toHaveLength(16);
});

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
  tags: [
    { name: "Notes", description: "…" },
    { name: "Others", description: "…" },
    { name: "Unused", description: "…" },
  ],
  paths: {
    "/notes/all": {
      delete: {
        operationId: "deleteNotes",
        tags: ["Others"],
        summary: "Read all notes",
        description: "…",
        security: [{ key: [] }],
        "x-codeSamples": [{ lang: "Python", source: { $ref: "delete-notes.ts" } }],
        responses: {
          200: {
            ...answer({ $ref: "#/components/schemas/Sent" }, ["done", "done_again"], "Done"),
            description: "It is done.",
          },
          404: {
            ...answer({ $ref: "#/components/schemas/Answered" }, ["gone"]),
            description: "It is done.",
          },
        },
      },
    },
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
          { name: "from", in: "query", description: "Where to begin.", schema: { type: "string" } },
          { name: "to", in: "query", description: "Where to begin.", schema: { type: "string" } },
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
      Sent: { type: "object", properties: { open: { type: "string", description: "…" } } },
      Told: {
        type: "object",
        additionalProperties: false,
        required: ["usual"],
        properties: {
          silent: { type: "string" },
          unwritten: { type: "string", description: "TODO" },
          usual: { type: "string", default: "…", description: "…" },
          one: { type: "string", description: "What it is." },
          other: { type: "string", description: "What it is." },
          waitSeconds: { type: "integer", format: "int64", description: "In milliseconds." },
          output_tokens: { $ref: "#/components/schemas/Time" },
          cost: { $ref: "#/components/schemas/Amount" },
          last_id: { type: "string", description: "The id of the first." },
          first_id: { type: "string", description: "The id of the first, and not the last." },
          loose: { type: "string", pattern: "^a|b", description: "…" },
          link: { type: "string", format: "url", description: "…" },
          few: { type: "string", maxLength: 9, description: "At all up to 10; no more than 9." },
          any: { type: "string", default: "b", description: "Required. A where it is left out." },
          read: { type: "string", readOnly: true, description: "…" },
          mode: { type: "string", enum: ["fast", "slow"], description: "`fast` is dear." },
          speed: { type: "string", enum: ["fast", "slow"], description: "`fast` or `slow`." },
        },
      },
      Time: { type: "integer", format: "int64", description: "In whole seconds." },
      Amount: { type: "integer", format: "int64", description: "An amount in microcents." },
      Answered: {
        type: "object",
        additionalProperties: false,
        properties: {
          told_whole: { $ref: "#/components/schemas/Told" },
          count: { type: "integer", description: "…" },
          widest: { type: ["integer", "null"], format: "int32", minimum: 0, description: "…" },
          state: { type: ["string", "null"], enum: ["new", null], description: "…" },
          inner: { type: "object", additionalProperties: false, description: "…" },
          union: { anyOf: [{ type: "string" }, { type: "boolean" }], description: "…" },
          allowed: { anyOf: [{ $ref: "#/components/schemas/State" }, { type: "null" }], description: "…" },
          readAt: { type: "integer", format: "int64", minimum: 0, description: "…" },
          madeAt: { type: "integer", format: "int64", minimum: 0, maximum: 253402300799, description: "…" },
          small: {
            type: "integer",
            format: "int32",
            minimum: 0,
            maximum: 10,
            deprecated: true,
            description: "…",
          },
          told: { type: "string", deprecated: true, description: "Deprecated: read `small`." },
        },
      },
      State: { type: "string", enum: ["new"] },
    },
    securitySchemes: { key: { type: "http", scheme: "bearer", bearerFormat: "svc_sk_…" } },
  },
};

function body(schema: object, examples: readonly string[], summary?: string) {
  const named = Object.fromEntries(examples.map((name) => [name, { summary, value: {} }]));
  return { content: { "application/json": { schema, examples: named } } };
}

function answer(schema: object, examples: readonly string[], summary?: string) {
  const requestId = { description: "…", schema: { type: "string" } };
  return { description: "…", headers: { "X-Request-Id": requestId }, ...body(schema, examples, summary) };
}

let reported: string[];
// Redocly takes a second to start, so all faults are in one document.
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "shop-faulty-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(FAULTY));
    writeFileSync(join(folder, "delete-notes.ts"), "");
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
  [
    "shop/distinct-descriptions: #/components/schemas/Told/properties/other/description",
    "The description of `other` is that of `one`.",
  ],
  [
    "shop/distinct-descriptions: #/paths/~1notes/get/parameters/3/description",
    "The description of the parameter `to` (string) is that of the parameter `from` (string).",
  ],
  [
    "shop/distinct-descriptions: #/paths/~1notes~1all/delete/responses/404/description",
    "The description of answers with Answered is that of answers with Sent.",
  ],
  [
    "shop/fields-are-told: #/components/schemas/Told/properties/silent",
    "The field `silent` needs a description.",
  ],
  [
    "shop/fields-are-told: #/components/schemas/Told/properties/unwritten/description",
    "A description is still to be written.",
  ],
  [
    "shop/names-and-units-agree: #/components/schemas/Told/properties/waitSeconds",
    "The description of `waitSeconds` says another unit than its name.",
  ],
  [
    "shop/names-and-units-agree: #/components/schemas/Told/properties/output_tokens",
    "The description of `output_tokens` says another unit than its name.",
  ],
  [
    "shop/names-and-units-agree: #/components/schemas/Told/properties/cost",
    "`cost` is in microcents, and its name does not say so.",
  ],
  [
    "shop/opposites-are-not-told: #/components/schemas/Told/properties/last_id",
    'The description of `last_id` says "first" and not "last".',
  ],
  [
    "shop/enums-are-told-whole: #/components/schemas/Told/properties/mode/description",
    "The description tells of other values of the enum, and not of `slow`.",
  ],
  [
    "shop/anchored-patterns: #/components/schemas/Told/properties/loose/pattern",
    "A pattern begins with `^` and ends with `$`.",
  ],
  ["shop/known-formats: #/components/schemas/Told/properties/link/format", "Nobody checks the format `url`."],
  [
    "shop/required-has-no-default: #/components/schemas/Told/properties/usual",
    "The field `usual` is required, and has a default.",
  ],
  [
    "shop/one-tag-for-a-path: #/paths/~1notes/get/tags",
    "The operations of `/notes` have the tags `Others` and `Notes`.",
  ],
  [
    "shop/one-tag-for-a-path: #/paths/~1notes/post/tags",
    "The operations of `/notes` have the tags `Others` and `Notes`.",
  ],
  [
    "shop/samples-in-their-language: #/paths/~1notes~1all/delete/x-codeSamples/0",
    "The sample of `deleteNotes` in Python is delete-notes.py, and not delete-notes.ts.",
  ],
  [
    "shop/summaries-fit-methods: #/paths/~1notes~1all/delete/summary",
    '"Read all notes" is not what DELETE does.',
  ],
  [
    "shop/distinct-example-summaries: #/paths/~1notes~1all/delete/responses/200/content/application~1json/examples/done_again",
    "The summary of the example `done_again` is that of `done`.",
  ],
  ["shop/tags-are-used: #/tags/2", "No operation has the tag `Unused`."],
  [
    "shop/words-and-limits-agree: #/components/schemas/Told/properties/few",
    "`few` is told to be at most 10, and may be 9.",
  ],
  [
    "shop/words-and-limits-agree: #/components/schemas/Told/properties/any",
    "The default of `any` is told as A, and is b.",
  ],
  [
    "shop/words-and-limits-agree: #/components/schemas/Told/properties/any",
    "`any` is told to be required, and may be left out.",
  ],
  [
    "rule/no-read-only-fields: #/components/schemas/Told/properties/read/readOnly",
    "Requests and answers have schemas of their own, so no field is of one of them alone.",
  ],
])("%s", (place, message) => {
  expect(reported).toContain(`${place} ${message}`);
});

test("nothing else is reported: what is right passes, and each fault breaks one rule", () => {
  expect(reported).toHaveLength(39);
});

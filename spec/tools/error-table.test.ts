import { expect, test } from "vitest";
import { errorStatusesOf } from "./error-table.ts";

const schemaOfCode = (...codes: string[]) => ({ properties: { error: { type: "string", enum: codes } } });
const schemaOfType = (...types: string[]) => ({
  properties: { error: { type: "object", properties: { type: { type: "string", enum: types } } } },
});

/** A document of one operation with those errors. */
function documentOf(listed: object, errors: Readonly<Record<string, object>>) {
  const responses = Object.entries(errors).map(([status, schema]) => [
    status,
    { content: { "application/json": { schema } } },
  ]);
  return {
    paths: {
      "/things": { parameters: [], get: { responses: { 200: {}, ...Object.fromEntries(responses) } } },
    },
    components: { schemas: { ApiError: listed } },
  };
}

test("an error code has the status of the answers that may have it, in the order of the schema", () => {
  const listed = schemaOfCode("not_found", "invalid_input", "bad_request");
  const errors = { 400: schemaOfCode("bad_request", "invalid_input"), 404: schemaOfCode("not_found") };
  const statuses = errorStatusesOf(documentOf(listed, errors));
  expect(Object.entries(statuses)).toEqual([
    ["not_found", 404],
    ["invalid_input", 400],
    ["bad_request", 400],
  ]);
});

test("a type of error has all statuses of the answers that may have it", () => {
  const listed = schemaOfType("api_error", "billing_error", "lost_error");
  const errors = {
    402: schemaOfType("billing_error"),
    500: schemaOfType("api_error"),
    503: schemaOfType("api_error"),
  };
  expect(errorStatusesOf(documentOf(listed, errors))).toEqual({
    api_error: [500, 503],
    billing_error: [402],
    lost_error: [],
  });
});

test("references and constants are followed", () => {
  const document = documentOf(
    { properties: { error: { $ref: "#/components/schemas/Code" } } },
    { 404: { properties: { error: { $ref: "#/components/schemas/Gone" } } } },
  );
  const schemas = { ...document.components.schemas, Code: { enum: ["gone"] }, Gone: { const: "gone" } };
  expect(errorStatusesOf({ ...document, components: { schemas } })).toEqual({ gone: 404 });
});

test.each<[string, object, Record<string, object>, string]>([
  [
    "two statuses",
    schemaOfCode("gone"),
    { 404: schemaOfCode("gone"), 410: schemaOfCode("gone") },
    "The error code gone must have one status, and has several: GET /things 404, GET /things 410.",
  ],
  ["no status", schemaOfCode("gone"), {}, "No answer of any operation has the error code gone."],
  [
    "errors without a code",
    schemaOfCode(),
    { 404: { type: "object" } },
    "GET /things 404 does not say which error codes it can have.",
  ],
])("a code with %s is refused", (_, listed, errors, message) => {
  expect(() => errorStatusesOf(documentOf(listed, errors))).toThrow(message);
});

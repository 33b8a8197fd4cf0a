import fc from "fast-check";
import { expect, test } from "vitest";
import { INTERFACES } from "../contract.ts";
import { brokenRequests } from "./broken-requests.ts";
import { documentedStatuses } from "./expectations.ts";
import { type FuzzedInterface, NOTHING_SPECIAL } from "./fuzzed-interface.ts";
import { openSpec, type SpecOperation } from "./spec.ts";
import { toRequest, validParts } from "./valid-requests.ts";

// What no document has yet: a body that is text, a header that must be there, the cookie of a session.

const spec = openSpec(INTERFACES[0] ?? "");
const noBody = { headers: {}, content: {} };
const operation: SpecOperation = {
  operationId: "importLines",
  method: "PUT",
  path: "/lines/{id}",
  fullPath: "/lines/{id}",
  admissions: [{ header: "cookie", prefix: "session=", scopes: ["writer"] }],
  parameters: [],
  browserHeaders: {},
  ignoresUnknownQuery: false,
  allParameters: [
    { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^[a-z]{1,9}$" } },
    { name: "If-Match", in: "header", required: true, schema: { type: "string", pattern: '^"[a-z]{1,9}"$' } },
  ],
  body: { mediaType: "text/plain", schema: { type: "string", maxLength: 20 } },
  responses: { 201: noBody, 204: noBody, 400: noBody, 401: noBody, 403: noBody },
};
const known: FuzzedInterface = {
  ...NOTHING_SPECIAL,
  callers: [
    { credential: "SHOP_SESSION_WRITER", scopes: ["reader", "writer"] },
    { credential: "SHOP_SESSION_READER", scopes: ["reader"] },
  ],
};

test("an operation that is open to everybody may refuse what it is told, one that is not may not refuse its callers", () => {
  const responses = { 204: noBody, 400: noBody, 401: noBody, 403: noBody, 429: noBody, 500: noBody };
  expect(documentedStatuses({ responses, admissions: [] }, false)).toEqual([204, 401, 403, 429]);
  expect(documentedStatuses({ ...operation, responses }, false)).toEqual([204]);
});

test("valid requests have the session, the header and a text", () => {
  for (const parts of fc.sample(validParts(spec, operation, known), 200)) {
    const { method, headers, body } = toRequest(operation, parts);
    expect([method, headers.cookie]).toEqual(["PUT", "session=SHOP_SESSION_WRITER"]);
    expect(headers["if-match"]).toMatch(/^"[a-z]{1,9}"$/);
    expect(headers["content-type"]).toMatch(/^text\/plain(; charset=utf-8)?$/i);
    expect([...(body as string)].length).toBeLessThanOrEqual(20);
  }
});

test("broken requests are broken in the session, the header or the text", () => {
  const broken = brokenRequests(spec, operation, known);
  if (broken === null) throw new Error("There is no way to break the request.");
  const refusals = new Map(
    fc.sample(broken, 1_000).map(({ fault, refusal }) => [fault, `${refusal.status} ${refusal.code}`]),
  );
  expect(Object.fromEntries(refusals)).toEqual({
    "no key": "401 unauthorized",
    "a key that no account has": "401 unauthorized",
    "a revoked key": "401 unauthorized",
    "a key in a way that is not known": "401 unauthorized",
    "a key of another kind": "403 insufficient_scope",
    "path id: not as the pattern says": "400 invalid_input",
    "path id: undecodable": "400 invalid_input",
    "query: an unknown parameter": "400 invalid_input",
    "header if-match: missing": "400 invalid_input",
    "header if-match: not as the pattern says": "400 invalid_input",
    "body: too long": "400 invalid_input",
    "body: a text that is not plain": "400 invalid_input",
    "body: not UTF-8": "400 bad_request",
    "body: of another media type": "400 bad_request",
  });
});

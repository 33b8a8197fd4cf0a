import { expect, test } from "vitest";
import { VENDOR_REFUSALS } from "../simulators/upstream/refusals.ts";
import { UpstreamMisconfiguredError, UpstreamRefusedError, UpstreamUnavailableError } from "./errors.ts";
import { refusalOf } from "./refusal.ts";

function body(message: unknown, rest: object = {}, type = "some_error"): Buffer {
  return Buffer.from(JSON.stringify({ type: "error", error: { type, message, ...rest } }));
}

test.each([
  [400, "invalid_request_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [408, "timeout_error"],
  [409, "conflict_error"],
  [413, "request_too_large"],
])("what is said of a request (%i) passes with its status and all fields", (status, type) => {
  const headers = { "request-id": "req_7" };
  const details = { error_code: "thread_not_found", thread: { id: 7 } };
  expect(
    refusalOf(status, headers, body("thread: no such thing", { details, param: "thread" }, type)),
  ).toMatchObject({
    code: "upstream_refused",
    upstreamStatus: status,
    words: { type, message: "thread: no such thing", details, param: "thread" },
    retryAfterSeconds: null,
    shouldRetry: null,
    upstreamRequestId: "req_7",
  });
});

test.each([405, 415, 422, 431])(
  "status %i, which the contract does not have, is a faulty request",
  (status) => {
    expect(refusalOf(status, {}, body("no"))).toMatchObject({
      upstreamStatus: 400,
      words: { type: "invalid_request_error", message: "no" },
    });
  },
);

test.each([Buffer.from("<html>"), Buffer.from("null"), body(""), body({}), Buffer.alloc(0)])(
  "a refusal without readable words gets ours",
  (unreadable) => {
    expect(refusalOf(400, {}, unreadable).message).toBe("The upstream does not accept the request.");
  },
);

test("of an error that is larger than any, type and message are left", () => {
  const refusal = refusalOf(
    400,
    {},
    body("no", { details: { text: "x".repeat(20_000) } }, "invalid_request_error"),
  );
  expect(refusal).toMatchObject({ words: { type: "invalid_request_error", message: "no" } });
  expect(JSON.stringify(refusal)).not.toContain("xxx");
});

test.each([
  [401, "invalid x-api-key", "key"],
  [402, "billing", "credit"],
  [403, "not allowed", "other"],
])("a refusal of the service itself (%i) is not told", (status, message, reason) => {
  const refusal = refusalOf(status, {}, body(message));
  expect(refusal).toBeInstanceOf(UpstreamMisconfiguredError);
  expect(refusal).toMatchObject({ reason, upstreamStatus: status });
});

test.each([
  ["sim-credit", "credit"],
  ["sim-usage-limit", "spend_limit"],
  ["sim-workspace-limit", "spend_limit"],
  ["sim-spend-limit", "spend_limit"],
  ["sim-contract-limit", "spend_limit"],
  ["sim-disabled", "organization"],
  ["sim-on-hold", "organization"],
  ["sim-forbidden", "organization"],
  ["sim-revoked", "key"],
  ["sim-billing", "credit"],
] as const)("the words of %s are about the shop, whatever their status", (name, reason) => {
  const { status, ...error } = VENDOR_REFUSALS[name];
  const refusal = refusalOf(status, {}, Buffer.from(JSON.stringify({ type: "error", error })));
  expect(refusal).toBeInstanceOf(UpstreamMisconfiguredError);
  expect(refusal).toMatchObject({ reason });
});

test.each([
  "messages.0.content: Your credit balance is too low",
  "tools.0.name: 'This organization has been disabled.' does not match",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Your organization is not enrolled in this beta.",
])("words that a request can bring about are about the request: %s", (message) => {
  expect(refusalOf(400, {}, body(message))).toBeInstanceOf(UpstreamRefusedError);
});

test.each([500, 502, 503, 504, 301, 307, 204, 100])("status %i is a failure of the upstream", (status) => {
  expect(refusalOf(status, {}, body("internals"))).toBeInstanceOf(UpstreamUnavailableError);
});

test.each([
  [429, "upstream_rate_limited", "rate_limit_error"],
  [529, "upstream_overloaded", "overloaded_error"],
])("%i is passed on with a Retry-After, without the shop's own limits", (status, code, type) => {
  const details = { error_code: "ramp_limit_exceeded" };
  const retry = (given?: string, message = "Rate limited") => {
    const headers = given === undefined ? {} : { "retry-after": given };
    const refusal = refusalOf(status, headers, body(message, { details }));
    if (refusal instanceof UpstreamRefusedError) return refusal;
    throw new Error("It is no refusal.");
  };
  expect(retry("17")).toMatchObject({
    code,
    retryAfterSeconds: 17,
    words: { type, message: "Rate limited", details },
  });
  expect(retry("0").retryAfterSeconds).toBe(1);
  for (const given of [undefined, "soon", "1.5", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", "9999999"]) {
    expect(retry(given).retryAfterSeconds).toBeGreaterThan(0);
  }
  const limit =
    "This request would exceed your organization's (7-7) rate limit of 50,000 input tokens per minute.";
  expect(retry("1", limit).message).not.toMatch(/7-7|50,000/);
});

test.each([
  ["true", true],
  ["false", false],
  ["maybe", null],
])("what the upstream says of a repetition is passed on: %s", (given, shouldRetry) => {
  expect(refusalOf(400, { "x-should-retry": given }, body("no"))).toMatchObject({ shouldRetry });
});

import { expect, test } from "vitest";
import { UpstreamMisconfiguredError, UpstreamUnavailableError } from "./errors.ts";
import { refusalOf } from "./refusal.ts";

function body(message: unknown): Buffer {
  return Buffer.from(JSON.stringify({ type: "error", error: { type: "some_error", message } }));
}

test.each([400, 404, 413, 422])(
  "a request that is answered %i is faulty, in the upstream's words",
  (status) => {
    expect(refusalOf(status, {}, body("thinking: no such thing"))).toEqual({
      status: 400,
      type: "invalid_request_error",
      message: "thinking: no such thing",
      retryAfterSeconds: null,
    });
  },
);

test.each([Buffer.from("<html>"), Buffer.from("null"), body(""), body({}), Buffer.alloc(0)])(
  "a refusal without readable words gets ours",
  (unreadable) => {
    expect(refusalOf(400, {}, unreadable).message).toBe("The upstream does not accept the request.");
  },
);

test.each([
  [401, "invalid x-api-key"],
  [402, "billing"],
  [403, "not allowed"],
  [400, "Your credit balance is too low"],
])("a refusal of the service itself (%i) is not told", (status, message) => {
  expect(() => refusalOf(status, {}, body(message))).toThrow(UpstreamMisconfiguredError);
});

test.each([500, 502, 503, 504, 301, 307, 204, 100])("status %i is a failure of the upstream", (status) => {
  expect(() => refusalOf(status, {}, body("internals"))).toThrow(UpstreamUnavailableError);
});

test.each([
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
])("%i is passed on with a Retry-After, without the upstream's words", (status, type) => {
  const retry = (given?: string) =>
    refusalOf(status, given === undefined ? {} : { "retry-after": given }, body("org 7 is over its limit"));
  expect(retry("17")).toMatchObject({ status, type, retryAfterSeconds: 17 });
  expect(retry("0").retryAfterSeconds).toBe(1);
  for (const given of [undefined, "soon", "1.5", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", "9999999"]) {
    expect(retry(given).retryAfterSeconds).toBeGreaterThan(0);
  }
  expect(retry().message).not.toContain("org 7");
});

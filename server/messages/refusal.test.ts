import { expect, test } from "vitest";
import { UpstreamMisconfiguredError, UpstreamRefusedError, UpstreamUnavailableError } from "./errors.ts";
import { refusalOf } from "./refusal.ts";

function body(message: unknown): Buffer {
  return Buffer.from(JSON.stringify({ type: "error", error: { type: "some_error", message } }));
}

test.each([400, 404, 413, 422])(
  "a request that is answered %i is faulty, in the upstream's words",
  (status) => {
    const headers = { "request-id": "req_7" };
    expect(refusalOf(status, headers, body("thinking: no such thing"))).toMatchObject({
      code: "upstream_refused",
      message: "thinking: no such thing",
      retryAfterSeconds: null,
      upstreamRequestId: "req_7",
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
  expect(refusalOf(status, {}, body(message))).toBeInstanceOf(UpstreamMisconfiguredError);
});

test.each([500, 502, 503, 504, 301, 307, 204, 100])("status %i is a failure of the upstream", (status) => {
  expect(refusalOf(status, {}, body("internals"))).toBeInstanceOf(UpstreamUnavailableError);
});

test.each([
  [429, "upstream_rate_limited"],
  [529, "upstream_overloaded"],
])("%i is passed on with a Retry-After, without the upstream's words", (status, code) => {
  const retry = (given?: string) => {
    const headers = given === undefined ? {} : { "retry-after": given };
    const refusal = refusalOf(status, headers, body("org 7 is over its limit"));
    if (refusal instanceof UpstreamRefusedError) return refusal;
    throw new Error("It is no refusal.");
  };
  expect(retry("17")).toMatchObject({ code, retryAfterSeconds: 17 });
  expect(retry("0").retryAfterSeconds).toBe(1);
  for (const given of [undefined, "soon", "1.5", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", "9999999"]) {
    expect(retry(given).retryAfterSeconds).toBeGreaterThan(0);
  }
  expect(retry().message).not.toContain("org 7");
});

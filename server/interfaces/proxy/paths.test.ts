import { expect, test } from "vitest";
import { readDocument } from "../read-document.ts";
import { toProxyPath, unknownProxyPath } from "./paths.ts";

test.each([
  ["/v1/messages", "/v1/messages"],
  ["/v1/v1/messages", "/v1/messages"],
  ["//v1/messages", "/v1/messages"],
  ["/v1//messages", "/v1/messages"],
  ["/v1/messages//count_tokens", "/v1/messages/count_tokens"],
  ["/v1/v1//models", "/v1/models"],
  ["/v1/messages/", "/v1/messages"],
  ["///v1/v1/messages/count_tokens/", "/v1/messages/count_tokens"],
  ["/v1/models/v1/", "/v1/models/v1"],
  ["/", "/"],
  ["/v1/", "/v1"],
  ["/v1/v1", "/v1/v1"],
  ["/v1/models/", "/v1/models"],
  ["/v1/v1messages", "/v1/v1messages"],
  ["//", "/"],
  ["/elsewhere//x", "/elsewhere/x"],
])("%s is read as %s", (path, own) => {
  expect(toProxyPath(path)).toBe(own);
});

test.each([
  "/v1/messages/batches",
  "/v1/messages/batches/msgbatch_1/results",
  "/v1/files",
  "/v1/files/file_1/content",
  "/v1/skills",
  "/v1/complete",
  "/v1/chat/completions",
  "/chat/completions",
  "/v1/responses",
  "/v1/embeddings",
  "/v1/sessions",
])("%s is not offered", (path) => {
  expect(unknownProxyPath(path)).toMatchObject({
    code: "not_found",
    message: expect.stringContaining("not offered by this shop"),
  });
});

test.each([
  ["/messages", "/v1/messages"],
  ["/anthropic/v1/messages", "/v1/messages"],
  ["/api/messages/count_tokens", "/v1/messages/count_tokens"],
  ["/models/sim-echo", "/v1/models/sim-echo"],
])("of %s it is said that the path is %s", (path, right) => {
  expect(unknownProxyPath(path)?.message).toContain(`the path is ${right}.`);
});

test.each(Object.keys(readDocument("proxy").paths ?? {}))(
  "below another base it is said that the path is %s",
  (path) => {
    const right = path.replace(/\{\w+\}/, "sim-echo");
    expect(unknownProxyPath(`/anthropic${right}`)?.message).toContain(`the path is ${right}.`);
  },
);

test.each([
  ["/v1/models/vendor/large", "vendor/large"],
  ["/v1/models/a%20b", "a b"],
  ["/v1/models/%", "%"],
])("at %s there is no model", (path, modelId) => {
  expect(unknownProxyPath(path)?.message).toBe(`There is no model "${modelId}".`);
});

test.each(["/v1/nothing", "/", "/v1/messages/x", "/v1/me"])(
  "%s is nothing, and nothing else is made of it",
  (path) => {
    expect(unknownProxyPath(path)).toBeNull();
  },
);

import { afterAll, beforeAll, expect, test } from "vitest";
import { openContract } from "../contract-tests/contract.ts";
import { type MockProcess, startMock } from "../contract-tests/prism/mock-process.ts";
import { createProxyClient } from "./proxy-client.ts";
import type { ProxyErrorType } from "./proxy-errors.ts";

interface Body {
  readonly error: { readonly type: ProxyErrorType; readonly message: string };
}

const createMessage = openContract("proxy").operations.find(
  ({ operationId }) => operationId === "createMessage",
);
const examples = Object.entries(createMessage?.responses ?? {}).flatMap(([status, { content }]) =>
  Object.entries(status === "200" ? {} : (content["application/json"]?.examples ?? {})).map(
    ([name, { value }]) => ({ status: Number(status), name, ...(value as Body).error }),
  ),
);
const request = { model: "any", max_tokens: 10, messages: [{ role: "user", content: "Hello!" }] };

let mock: MockProcess;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

test.each(examples)("$status $name of the mock is told, and the call not repeated", async (example) => {
  const { status, name, type, message } = example;
  const sent: string[] = [];
  const { messages } = createProxyClient({
    baseUrl: mock.baseUrls.proxy,
    apiKey: "svc_sk_any",
    async fetch(request) {
      sent.push(request.url);
      request.headers.set("Prefer", `code=${status}, example=${name}`);
      return fetch(request);
    },
  });
  const { error } = await messages.create(request);
  expect(error).toMatchObject({ type, status, message });
  expect(sent).toEqual([`${mock.baseUrls.proxy}/v1/messages`]);
  if (status === 429 || status === 529) expect(error?.retryAfterMs).toBeGreaterThanOrEqual(1000);
  expect((await messages.stream(request)).error).toMatchObject({ type, status, message });
});

test("the contract has an example of every status that a call can fail with", () => {
  expect(new Set(examples.map(({ status }) => status))).toEqual(
    new Set(
      Object.keys(createMessage?.responses ?? {})
        .map(Number)
        .filter((status) => status !== 200),
    ),
  );
});

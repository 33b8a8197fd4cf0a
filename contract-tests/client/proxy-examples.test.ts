import { expect, test } from "vitest";
import { createProxyClient } from "../../client/proxy-client.ts";
import type { operations } from "../../generated/proxy/types.ts";
import { asking, examplesOf, testEveryExample } from "../prism/every-example.ts";

const apiKey = "svc_sk_any";
const request = { model: "any", messages: [{ role: "user", content: "Hello!" }] };

// A call of every operation; one that is missing does not compile.
const mockUrl = testEveryExample<keyof operations>("proxy", (baseUrl, fetch) => {
  const client = createProxyClient({ baseUrl, apiKey, fetch });
  return {
    createMessage: () => client.messages.create({ ...request, max_tokens: 10 }),
    countTokens: () => client.messages.countTokens(request),
    listModels: () => client.listModels(),
    getModel: () => client.getModel("large-1"),
    getAccount: () => client.getAccount(),
    listUsage: () => client.listUsage(),
    listLedger: () => client.listLedger(),
  };
});

const refusals = examplesOf("proxy").filter(
  ({ operationId, status }) => operationId === "createMessage" && status !== 200,
);
test.each(refusals)("$title is told of a stream that does not begin", async (example) => {
  const { fetch } = asking(example);
  const { messages } = createProxyClient({ baseUrl: mockUrl(), apiKey, fetch });
  const { error } = await messages.stream({ ...request, max_tokens: 10 });
  expect(error).toMatchObject({ ...(example.value as { error: object }).error, status: example.status });
});

test("the stream of the mock is read to its end", async () => {
  const { messages } = createProxyClient({ baseUrl: mockUrl(), apiKey });
  const { data: stream } = await messages.stream({ ...request, max_tokens: 10 });
  expect((await stream?.finalMessage())?.content).toEqual([{ type: "text", text: "Paris." }]);
});

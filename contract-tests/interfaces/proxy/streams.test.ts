import { describe, expect, onTestFinished, test } from "vitest";
import { openContract } from "../../contract.ts";
import { askMock } from "../../prism/ask-mock.ts";
import { startMock } from "../../prism/start-mock.ts";

const proxy = openContract("proxy");
const createMessage = operationOf("createMessage");

function operationOf(id: string) {
  const operation = proxy.operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`The document has no ${id}.`);
  return operation;
}

describe("a stream", () => {
  const faultsOfType = (contentType: string) => {
    const streamHeaders = {
      "content-type": contentType,
      "x-request-id": "a",
      "request-id": "a",
      "anthropic-ratelimit-requests-limit": "60",
      "anthropic-ratelimit-requests-remaining": "59",
      "anthropic-ratelimit-requests-reset": "2026-07-01T12:01:00Z",
    };
    const answer = {
      status: 200,
      headers: streamHeaders,
      body: "event: message_start\ndata: {}\n\nevent: message_stop\n\n",
    };
    return proxy.faultsOf(createMessage, answer);
  };

  test.each(["text/event-stream", "text/event-stream; charset=utf-8"])("may come as %s", (type) => {
    expect(faultsOfType(type)).toEqual([]);
  });

  test("may not come as JSON", () => {
    expect(faultsOfType("application/json")).toEqual([expect.stringContaining("body must be object")]);
  });
});

test("the mock answers a request for a stream with a stream or an error", async () => {
  const mock = await startMock();
  onTestFinished(() => void mock.stop());
  const body = JSON.stringify({
    model: "a",
    max_tokens: 1,
    messages: [{ role: "user", content: "a" }],
    stream: true,
  });
  const ask = (headers: Record<string, string>) =>
    askMock(mock.baseUrl("proxy"), createMessage, headers, { body });
  for (const Accept of ["application/json", "text/event-stream", "*/*"]) {
    const stream = await ask({ Accept });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(await stream.text()).toMatch(/^event: message_start\n[\s\S]*event: message_stop\n/);
    expect((await ask({ Accept, Prefer: "code=529" })).status).toBe(529);
  }
});

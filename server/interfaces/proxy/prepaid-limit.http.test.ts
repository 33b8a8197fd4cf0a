import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addCallingAccount,
  addModels,
  ask,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";

let shop: TestAiProxy;

beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo"]);
});

beforeEach(() => shop.upstream.forget());

afterAll(() => shop.stop());

function post(key: string, body: object, path = "/v1/messages"): Promise<Response> {
  return fetch(shop.proxyUrl + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
}

/** What looks like a picture of that many bytes. */
function pictureOf(bytes: number) {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: "x".repeat(bytes) } };
}

describe("twenty calls at once on 0.40 USD leave no debt", () => {
  const inHistory = (...content: object[]) => ({
    ...ask("go on"),
    messages: [
      { role: "user", content: "draw" },
      { role: "assistant", content },
      { role: "user", content: "go on" },
    ],
  });

  test.each([
    [
      "with a tool's input that looks like a picture",
      inHistory({ type: "tool_use", id: "t", name: "draw", input: pictureOf(400_000) }),
    ],
    [
      "with a tool's schema that looks like a picture",
      {
        ...ask("go on"),
        tools: [{ name: "draw", input_schema: { type: "object", default: pictureOf(400_000) } }],
      },
    ],
  ])("%s", async (_name, body) => {
    const caller = await addCallingAccount(shop, "0.40");
    await Promise.all(Array.from({ length: 20 }, async () => (await post(caller.key, body)).text()));
    await caller.settled();
    expect(await caller.balance()).toBeGreaterThanOrEqual(0n);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { costOf } from "../../calls/token-usage.ts";
import {
  addCallingAccount,
  addModels,
  ask,
  DISTINCT_PRICES,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";

/** Each piece of content is sent when the test ends the pause before it. */
const HELD_BACK = "sim-slow-tokens-600000";

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, [HELD_BACK]);
});
afterAll(() => shop.stop());

/** Begins a stream. @returns reads it until it holds a text, or to its end. */
async function begin(key: string): Promise<(until?: string) => Promise<string>> {
  const response = await fetch(`${shop.proxyUrl}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ ...ask("one two three four", HELD_BACK), stream: true }),
    headers: { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return async (until) => {
    while (until === undefined || !text.includes(until)) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
    return text;
  };
}

const ENDINGS = {
  "its key is revoked": (keyId: string) => shop.keys.revoke(keyId as never),
  "its key expires": (keyId: string) =>
    shop.database.change("UPDATE api_keys SET expires_at_ms = 1 WHERE key_id = ?", [keyId]),
  "its account is suspended": (_: string, accountId: string) => shop.accounts.suspend(accountId as never),
};

test.each(Object.entries(ENDINGS))(
  "a running stream ends when %s, with an error, and is charged for what was seen",
  async (_, endAccess) => {
    const accountId = await shop.addAccount("100");
    const { keyId, key } = await shop.addKey(accountId, "general");
    const other = await addCallingAccount(shop);
    const [read, readOther] = [await begin(key), await begin(other.key)];
    await Promise.all([read("message_start"), readOther("message_start")]);
    shop.upstream.endDelays();
    await Promise.all([read("one"), readOther("one")]);
    await endAccess(keyId, accountId);

    const text = await read();
    expect(text).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"authentication_error",.*\n\n$/,
    );
    expect(text).not.toContain("message_stop");
    const reserved = async () => (await shop.accounts.get(accountId)).reservedMicrocents;
    await expect.poll(reserved).toBe(0n);
    const [call] = await shop.calls.list(accountId, 1);
    expect(call).toMatchObject({ outcome: "upstream_failed" });
    expect(call?.usage.outputTokens).toBeGreaterThanOrEqual(1);
    expect(call?.amountMicrocents).toBe(costOf(call?.usage ?? ({} as never), DISTINCT_PRICES));

    // Another account's goes on.
    for (const word of ["two", "three", "four", "message_stop"]) {
      shop.upstream.endDelays();
      await readOther(word);
    }
    expect(await readOther()).not.toContain("event: error");
  },
);

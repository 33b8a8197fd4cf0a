import { afterAll, beforeAll, expect, test } from "vitest";
import { limitsOf } from "../../testing/documented-limits.ts";
import { aiProxyError, requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { addModel } from "../../testing/test-calls.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let shop: TestShop;
let nowMs = Date.parse("2026-07-01T12:00:00Z");
beforeAll(async () => {
  shop = await startTestShop(() => nowMs);
});
afterAll(() => shop.stop());

const list = (query = "") => requestAiProxy(shop, `/v1/models${query}`);
const idsOf = async (query?: string) =>
  (await list(query)).body.data.map(({ id }: { id: string }) => id) as string[];

test("without models the list is empty", async () => {
  expect(await list()).toMatchObject({
    status: 200,
    body: { data: [], has_more: false, first_id: null, last_id: null },
  });
});

test("models that are priced and enabled are listed, the newest first, in the vendor's shape", async () => {
  for (const modelId of ["b-1", "a-1", "c-1", "gone-1", "c-0"]) {
    await addModel(shop, modelId);
    if (modelId !== "c-1") nowMs += 1_000;
  }
  await shop.models.disable("gone-1");
  const { body } = await list();
  expect(body).toMatchObject({ has_more: false, first_id: "c-0", last_id: "b-1" });
  expect(body.data).toEqual(
    [
      ["c-0", "2026-07-01T12:00:03.000Z"],
      ["c-1", "2026-07-01T12:00:02.000Z"],
      ["a-1", "2026-07-01T12:00:01.000Z"],
      ["b-1", "2026-07-01T12:00:00.000Z"],
    ].map(([id, created_at]) => ({
      ...{ type: "model", id, display_name: `Model ${id}`, created_at },
      ...{ lifecycle: "active", max_input_tokens: null, max_tokens: null, capabilities: null },
    })),
  );
});

test("a model that is enabled again is listed again, with the time of its first day", async () => {
  await addModel(shop, "gone-1");
  expect(await idsOf()).toEqual(["c-0", "c-1", "gone-1", "a-1", "b-1"]);
});

test("pages lead through the list in both directions", async () => {
  expect((await list("?limit=2")).body).toMatchObject({ has_more: true, first_id: "c-0", last_id: "c-1" });
  expect(await idsOf("?limit=2&after_id=c-1")).toEqual(["gone-1", "a-1"]);
  expect((await list("?limit=2&after_id=a-1")).body).toMatchObject({ has_more: false, last_id: "b-1" });
  expect((await list("?after_id=b-1")).body).toMatchObject({ data: [], has_more: false });
  expect((await list("?limit=2&before_id=b-1")).body).toMatchObject({ has_more: true, first_id: "gone-1" });
  expect((await list("?limit=2&before_id=gone-1")).body).toMatchObject({ has_more: false, last_id: "c-1" });
});

test.each([
  "limit=0",
  `limit=${limitsOf("proxy", "ModelLimit").maximum + 1}`,
  "limit=x",
  "after_id=nothing",
  "after_id=",
  "after_id=c-1&before_id=a-1",
])("%s is refused", async (query) => {
  expect(await list(`?${query}`)).toMatchObject({
    status: 400,
    body: aiProxyError("invalid_request_error", expect.any(String)),
  });
});

test("what vendor SDKs send for features in trial changes nothing", async () => {
  expect(await idsOf("?beta=true")).toHaveLength(5);
});

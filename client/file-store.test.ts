import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createFileStore } from "./file-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { Conclusion, StoredPurchase } from "./purchase.ts";

const PURCHASE: StoredPurchase = {
  baseUrl: "https://shop.example/shop/v1",
  externalOrderId: "a/../b\n",
  productId: "pen",
  qty: 1,
  expectedUnitPrice: null,
  startedAtMs: 1,
  conclusion: null,
};
const { baseUrl, externalOrderId } = PURCHASE;
const REFUSED: Conclusion = {
  kind: "refused",
  error: "out_of_stock",
  message: "No.",
  details: null,
  mayRepeat: true,
};
const DELIVERED: Conclusion = {
  kind: "delivered",
  orderId: "ord_1",
  unitPrice: "1.00",
  amount: "1.00",
  codes: [{ code: "CODE-1", redeemUrl: "https://redeem.example" }],
};

let folder: string;
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), "purchases-"));
  onTestFinished(() => rm(made, { recursive: true }));
  folder = join(made, "below", "it");
});

describe.each([
  ["file", () => createFileStore(folder)],
  ["memory", createMemoryStore],
])("a %s store", (_, create) => {
  test("keeps a purchase until it is concluded", async () => {
    const store = create();
    expect(await store.find(baseUrl, externalOrderId)).toBeNull();
    expect(await store.begin(PURCHASE)).toEqual({ purchase: PURCHASE, isNew: true });
    expect(await store.begin({ ...PURCHASE, qty: 2 })).toEqual({ purchase: PURCHASE, isNew: false });
    expect(await store.unfinished(baseUrl)).toEqual([PURCHASE]);
    await store.conclude(PURCHASE, DELIVERED);
    expect(await store.unfinished(baseUrl)).toEqual([]);
    expect(await store.find(baseUrl, externalOrderId)).toEqual({ ...PURCHASE, conclusion: DELIVERED });
  });

  test("tells purchases of different shops apart", async () => {
    const store = create();
    const other = { ...PURCHASE, baseUrl: "https://other.example" };
    await store.begin(PURCHASE);
    expect(await store.begin(other)).toEqual({ purchase: other, isNew: true });
    expect(await store.unfinished(baseUrl)).toEqual([PURCHASE]);
  });

  test("never loses a delivery", async () => {
    const store = create();
    await store.begin(PURCHASE);
    await store.conclude(PURCHASE, REFUSED);
    await store.conclude(PURCHASE, DELIVERED);
    await store.conclude(PURCHASE, REFUSED);
    expect(await store.reopen(PURCHASE)).toBe(false);
    expect((await store.find(baseUrl, externalOrderId))?.conclusion).toEqual(DELIVERED);
  });

  test("opens a refused purchase again", async () => {
    const store = create();
    await store.begin(PURCHASE);
    await store.conclude(PURCHASE, REFUSED);
    expect(await store.reopen(PURCHASE)).toBe(true);
    expect(await store.reopen(PURCHASE)).toBe(false);
    expect(await store.unfinished(baseUrl)).toEqual([PURCHASE]);
    await store.conclude(PURCHASE, DELIVERED);
    expect(await store.unfinished(baseUrl)).toEqual([]);
  });
});

test("what a file store has taken is there for the next process, and for nobody else", async () => {
  await createFileStore(folder).begin(PURCHASE);
  expect(await createFileStore(folder).unfinished(baseUrl)).toEqual([PURCHASE]);
  for (const name of ["open", "refused", "concluded", "aside"]) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700);
  }
  const [file] = await readdir(join(folder, "open"));
  expect((await stat(join(folder, "open", file ?? ""))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "aside"))).toEqual([]);
});

test("of many that begin one purchase at once, one is the first, and all get the same", async () => {
  const begun = await Promise.all(
    Array.from({ length: 20 }, (_, qty) => createFileStore(folder).begin({ ...PURCHASE, qty })),
  );
  expect(begun.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(begun.map(({ purchase }) => purchase.qty)).size).toBe(1);
});

test("of two users of one id, who conclude it and open it again at once, neither loses it", async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...PURCHASE, externalOrderId: `id-${index}` }));
  const [one, two] = [createFileStore(folder), createFileStore(folder)];
  await Promise.all(
    many.map(async (purchase) => {
      await one.begin(purchase);
      await one.conclude(purchase, REFUSED);
      for (let round = 0; round < 5; round += 1)
        await Promise.all([one.reopen(purchase), two.conclude(purchase, REFUSED)]);
      expect(await one.find(baseUrl, purchase.externalOrderId)).toMatchObject({ qty: purchase.qty });
      await one.conclude(purchase, REFUSED);
      await Promise.all([one.reopen(purchase), two.conclude(purchase, DELIVERED)]);
      expect((await one.find(baseUrl, purchase.externalOrderId))?.conclusion).toEqual(DELIVERED);
    }),
  );
});

test("what an earlier release has stored as refused is found, and opened again", async () => {
  const store = createFileStore(folder);
  await store.begin(PURCHASE);
  const [file = ""] = await readdir(join(folder, "open"));
  await rm(join(folder, "open", file));
  await writeFile(join(folder, "concluded", file), JSON.stringify({ ...PURCHASE, conclusion: REFUSED }));
  expect(await store.find(baseUrl, externalOrderId)).toEqual({ ...PURCHASE, conclusion: REFUSED });
  expect(await store.reopen(PURCHASE)).toBe(true);
  expect(await store.unfinished(baseUrl)).toEqual([PURCHASE]);
  await store.conclude(PURCHASE, DELIVERED);
  expect((await store.find(baseUrl, externalOrderId))?.conclusion).toEqual(DELIVERED);
});

test("a file that was half written is never read, and is removed when its writer is long gone", async () => {
  const store = createFileStore(folder);
  await store.begin(PURCHASE);
  const [old, young] = [join(folder, "aside", "old"), join(folder, "aside", "young")];
  await writeFile(old, '{"half');
  await writeFile(young, '{"half');
  await utimes(old, 0, 0);
  expect(await store.unfinished(baseUrl)).toEqual([PURCHASE]);
  expect(await readdir(join(folder, "aside"))).toEqual(["young"]);
});

test("a file that somebody has spoiled is named, and not shown", async () => {
  const store = createFileStore(folder);
  await store.begin(PURCHASE);
  const [file = ""] = await readdir(join(folder, "open"));
  await writeFile(join(folder, "open", file), "{CODE-1");
  await expect(store.unfinished(baseUrl)).rejects.toThrow(`${file} holds no purchase.`);
});

test("a purchase whose end was stored is finished, also when its open file is still there", async () => {
  const store = createFileStore(folder);
  await store.begin(PURCHASE);
  const [file = ""] = await readdir(join(folder, "open"));
  const text = await readFile(join(folder, "open", file));
  await store.conclude(PURCHASE, DELIVERED);
  await writeFile(join(folder, "open", file), text);
  expect(await store.unfinished(baseUrl)).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { linesOf, openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import type { KeyRing } from "./code-cipher.ts";
import { allocateFromSegments } from "./segment.ts";
import { deleteImportingSegment, finishSegment, growSegment } from "./stock-store.ts";

let time: FixedClock;
let services: TestServices;
let productId: string;
beforeEach(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  services = await openTestServices(time.clock);
  productId = (await services.addProduct({ codes: 0 })).productId;
});
// Ends with the audit.
afterEach(() => services.dispose());

const codes = (count: number, prefix = "C") =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const remaining = async () =>
  (await services.products.list()).find((entry) => entry.product.productId === productId)?.remaining;

async function buy(qty: number): Promise<readonly string[]> {
  const { key } = await services.addKey(await services.addAccount("5000"));
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("the key is not known");
  const request = { caller, externalOrderId: "x", productId, qty, expectedUnitPrice: null };
  return (await services.orders.place(request)).order.codes;
}

describe("importing", () => {
  test("counts new codes, duplicates within the file and against the stock, and what is no code", async () => {
    const lines = [" A ", "B", "", "  ", "A", "C\u0007", "x".repeat(2_001), "\ufffd", "x".repeat(2_000)];
    expect(await services.stock.import(productId, linesOf(lines))).toMatchObject({
      imported: 3,
      duplicates: 1,
      invalid: 3,
    });
    expect(await services.stock.import(productId, linesOf(["B", "D", "D"]))).toMatchObject({
      imported: 1,
      duplicates: 2,
    });
    expect(await remaining()).toBe(4);
    expect(await buy(4)).toEqual(["A", "B", "x".repeat(2_000), "D"]);
  });

  test("that begins writes its product's row, which two nodes of a cluster cannot do at once", async () => {
    const imports = () =>
      services.database.rows("SELECT imports FROM products WHERE product_id = ?", [productId]);
    await services.stock.import(productId, linesOf(["A"]));
    await services.stock.import(productId, linesOf(["B"]));
    expect(await imports()).toEqual([{ imports: 2n }]);
  });

  test.each([
    ["takes effect without an answer", "server"],
    ["is lost", "client"],
  ])("whose last step %s is told as what it is", async (_how, cutFrom) => {
    let [isFinishing, isCutting] = [false, true];
    const interceptor = await startInterceptor(services.databaseTcpUrl, ({ from, request }) => {
      if (request.startsWith("execute UPDATE stock_segments SET state")) isFinishing = true;
      if (!isFinishing || !isCutting || from !== cutFrom || !request.startsWith("query COMMIT"))
        return "pass";
      isCutting = false;
      return "cut";
    });
    const behind = compose(testConfig(interceptor.url), time.clock);
    const importing = behind.stock.import(productId, linesOf(["A", "B"]));
    if (cutFrom === "server") expect(await importing).toMatchObject({ imported: 2 });
    else await expect(importing).rejects.toMatchObject({ code: "commit_outcome_unknown" });
    expect(isCutting).toBe(false);
    expect(await remaining()).toBe(cutFrom === "server" ? 2 : 0);
    await closeDatabase(behind.database);
    interceptor.close();
  });

  test("nothing new leaves no segment", async () => {
    await services.stock.import(productId, linesOf(["A"]));
    expect(await services.stock.import(productId, linesOf(["A"]))).toMatchObject({
      imported: 0,
      segmentId: null,
    });
    expect(await services.stock.list(productId)).toHaveLength(1);
  });

  test("the same code may belong to two products", async () => {
    const other = await services.addProduct({ codes: 0 });
    await services.stock.import(productId, linesOf(["SAME"]));
    expect(await services.stock.import(other.productId, linesOf(["SAME"]))).toMatchObject({ imported: 1 });
  });

  test("sold codes count as duplicates", async () => {
    await services.stock.import(productId, linesOf(["A"]));
    await buy(1);
    expect(await services.stock.import(productId, linesOf(["A"]))).toMatchObject({
      imported: 0,
      duplicates: 1,
    });
  });

  test("nothing is for sale before the import is complete, and many batches keep their order", async () => {
    const all = codes(4_500);
    const seen: (number | null | undefined)[] = [];
    async function* watched() {
      for (const [index, code] of all.entries()) {
        if (index % 2_250 === 0) seen.push(await remaining());
        yield code;
      }
    }
    const progress: number[] = [];
    await services.stock.import(productId, watched(), ({ imported }) => progress.push(imported));
    expect(seen).toEqual([0, 0]);
    expect(progress).toEqual([500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500]);
    expect(await buy(1_000)).toEqual(all.slice(0, 1_000));
  });

  test("an import whose input fails leaves nothing of its own, and can be repeated at once", async () => {
    const others = await services.addProduct({ codes: 30 });
    await services.stock.import(productId, linesOf(codes(3, "BEFORE")));
    async function* failing() {
      yield* codes(2_500);
      throw new Error("the file is gone");
    }
    await expect(services.stock.import(productId, failing())).rejects.toThrow("the file is gone");
    expect(await services.stock.list(productId)).toHaveLength(1);
    const stored = "SELECT product_id, COUNT(*) AS codes FROM codes GROUP BY product_id ORDER BY codes";
    expect(await services.database.rows(stored)).toEqual([
      { product_id: productId, codes: 3n },
      { product_id: others.productId, codes: 30n },
    ]);
    expect(await services.stock.import(productId, linesOf(codes(2_500)))).toMatchObject({
      imported: 2_500,
      duplicates: 0,
    });
  });

  test("an import that died leaves nothing for sale and can be repeated when its lease has ended", async () => {
    const stalled = Promise.withResolvers<void>();
    async function* dying() {
      yield* codes(2_500);
      stalled.resolve();
      await new Promise(() => {});
    }
    services.stock.import(productId, dying()).catch(() => {});
    await stalled.promise;
    expect(await remaining()).toBe(0);
    time.advance(15_000);
    await expect(services.stock.import(productId, linesOf(["A"]))).rejects.toMatchObject({
      code: "import_running",
      retryAfterMs: 5,
    });
    time.advance(5);
    expect(await services.stock.import(productId, linesOf(codes(2_600)))).toMatchObject({
      imported: 2_600,
      duplicates: 0,
    });
    expect(await remaining()).toBe(2_600);
    expect(await services.stock.list(productId)).toHaveLength(1);
  });

  test("an import that was taken for dead cannot finish", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    async function* slow() {
      yield* codes(2_000, "SLOW");
      begun.resolve();
      await gate.promise;
      yield* codes(1, "LATE");
    }
    const first = services.stock.import(productId, slow());
    const outcome = expect(first).rejects.toMatchObject({ code: "import_interrupted" });
    await begun.promise;
    time.advance(15_100);
    await services.stock.import(productId, linesOf(["NEW"]));
    gate.resolve();
    await outcome;
    expect(await remaining()).toBe(1);
  });

  test("only who holds the lease of an import grows it or puts it up for sale", async () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    async function* slow() {
      yield* codes(500);
      started.resolve();
      await gate.promise;
    }
    const importing = services.stock.import(productId, slow());
    await started.promise;
    const [segment] = await services.stock.list(productId);
    if (segment === undefined) throw new Error("There is no segment.");
    const lost = { ...segment, leaseExpiresAtMs: (segment.leaseExpiresAtMs ?? 0) - 1 };
    expect(await transaction(services.database, (tx) => growSegment(tx, lost, segment))).toBe(false);
    expect(await finishSegment(services.database, lost, "open")).toBe(false);
    await deleteImportingSegment(services.database, lost);
    gate.resolve();
    expect(await importing).toMatchObject({ imported: 500 });
    expect(await remaining()).toBe(500);
  });

  test("an unknown product is not found", async () => {
    await expect(services.stock.import("unknown", linesOf(["A"]))).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("recalling", () => {
  test("takes the rest of one import out of sale and leaves the others", async () => {
    const first = await services.stock.import(productId, linesOf(codes(5, "BAD")));
    await services.stock.import(productId, linesOf(codes(5, "GOOD")));
    expect(await buy(2)).toEqual(["BAD-0", "BAD-1"]);
    if (first.segmentId === null) throw new Error("nothing was imported");
    await services.stock.recall(first.segmentId);
    expect(await remaining()).toBe(5);
    expect(await buy(5)).toEqual(codes(5, "GOOD"));
    await expect(services.stock.recall(first.segmentId)).rejects.toMatchObject({ code: "conflict" });
    expect(await services.stock.import(productId, linesOf(codes(5, "BAD")))).toMatchObject({ duplicates: 5 });
  });
});

test("an import that is sold out has nothing left to recall", async () => {
  const { segmentId } = await services.stock.import(productId, linesOf(codes(2)));
  await buy(2);
  if (segmentId === null) throw new Error("nothing was imported");
  await expect(services.stock.recall(segmentId)).rejects.toMatchObject({ code: "conflict" });
  expect(await services.stock.list(productId)).toMatchObject([{ state: "exhausted" }]);
});

test("an order takes from as many imports as it needs", async () => {
  const all: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const some = codes(3, `IMPORT-${index}`);
    all.push(...some);
    await services.stock.import(productId, linesOf(some));
  }
  expect(await buy(50)).toEqual(all.slice(0, 50));
  expect(await remaining()).toBe(10);
});

test("codes are nowhere in the database in clear, and open only with their key", async () => {
  await services.stock.import(productId, linesOf(["CANARY-CODE"]));
  const [row] = await services.database.rows<{ ciphertext: Buffer; fingerprint: Buffer }>(
    "SELECT * FROM codes",
  );
  expect(row?.ciphertext.includes("CANARY")).toBe(false);
  expect(row?.ciphertext.includes("test")).toBe(true);
});

describe("encryption keys", () => {
  const one = { id: "test", key: Buffer.alloc(32, 7) };
  const two = { id: "two", key: Buffer.alloc(32, 2) };
  const three = { id: "three", key: Buffer.alloc(32, 3) };

  function withKeys(codeEncryptionKeys: KeyRing): Services {
    return compose({ ...testConfig(services.databaseUrl), databasePoolSize: 2, codeEncryptionKeys });
  }

  test("must be all that codes were ever encrypted with, or the service does not start", async () => {
    await services.stock.import(productId, linesOf(["A"]));
    const rotated = withKeys([two, one]);
    await rotated.stock.import(productId, linesOf(["B"]));
    await closeDatabase(rotated.database);
    const wrong = [[two], [three, one], [{ ...two, key: three.key }, one], [two, { ...one, key: three.key }]];
    for (const [ring, works] of [
      [[three, two, one], true],
      ...wrong.map((ring) => [ring, false] as const),
    ] as const) {
      const checked = withKeys(ring);
      const check = checked.stock.checkEncryptionKeys();
      if (works) await check;
      else await expect(check).rejects.toMatchObject({ code: "wrong_encryption_keys" });
      await closeDatabase(checked.database);
    }
  });

  test("that a running service does not know keep it from charging for codes that it cannot read", async () => {
    const rotated = withKeys([two, one]);
    await rotated.stock.import(productId, linesOf(["B"]));
    const accountId = await services.addAccount("10");
    const caller = await services.keys.authenticate((await services.addKey(accountId)).key);
    if (caller === null) throw new Error("the key is not known");
    const request = { caller, externalOrderId: "x", productId, qty: 1, expectedUnitPrice: null };
    await expect(services.orders.place(request)).rejects.toMatchObject({ code: "wrong_encryption_keys" });
    expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("10"));
    expect((await rotated.orders.place(request)).order.codes).toEqual(["B"]);
    await closeDatabase(rotated.database);
  });
});

test("too few codes are not taken in part", () => {
  const segment = {
    segmentId: "seg_1",
    productId: "p",
    state: "open",
    firstSequence: 0n,
    nextSequence: 3n,
    endSequence: 5n,
    encryptionKeyId: "test",
    createdAtMs: 0,
    leaseExpiresAtMs: null,
    lostSinceMs: null,
  } as const;
  expect(allocateFromSegments([segment], 3)).toBeNull();
  expect(allocateFromSegments([segment], 2)).toEqual([
    { segment, range: { firstSequence: 3n, endSequence: 5n } },
  ]);
});

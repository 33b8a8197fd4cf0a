import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { createCipher } from "../stock/code-cipher.ts";
import { openTestServices, TEST_KEY_RING, type TestServices, usd } from "../testing/test-shop.ts";
import { createSuppliers, type Suppliers } from "./suppliers.ts";

const FELT_MS = 700;

let services: TestServices;
let simulator: SupplierSimulator;
let suppliers: Suppliers;
let supplierId: string;
let count = 0;

beforeAll(async () => {
  services = await openTestServices();
  simulator = await startSupplierSimulator({ products: [{ productId: "pen", unitPrice: "1.00", stock: 5 }] });
});
afterAll(async () => {
  await simulator.close();
  await services.dispose();
});

beforeEach(async () => {
  suppliers = suppliersOfAnotherProcess();
  supplierId = `acme-${count++}`;
  simulator.setProduct({ productId: "pen", unitPrice: "1.00", stock: 5 });
  await suppliers.add({ supplierId, baseUrl: simulator.url, apiKey: simulator.apiKey });
});

function suppliersOfAnotherProcess(keyRing = TEST_KEY_RING): Suppliers {
  const { database, clock } = services;
  const timeouts = { purchaseMs: 2_000, readMs: 1_000 };
  const cipher = createCipher(keyRing);
  return createSuppliers({ database, clock, cipher, timeouts, looksPerMinute: 1_000 });
}

const quote = (fresh = false) => suppliers.quote(supplierId, "pen", 5, { fresh, purpose: "look" });
const NOT_CONFIGURED = { name: "SupplierNotConfiguredError" };

describe("a supplier", () => {
  test("is added, shown and listed, without its key", async () => {
    const supplier = {
      supplierId,
      baseUrl: simulator.url,
      status: "active",
      createdAtMs: expect.any(Number),
    };
    expect(await suppliers.get(supplierId)).toEqual(supplier);
    expect(await suppliers.list()).toContainEqual(supplier);
  });

  test("is not added twice", async () => {
    const again = { supplierId, baseUrl: "https://other.example", apiKey: "other" };
    await expect(suppliers.add(again)).rejects.toMatchObject({
      name: "ConflictError",
      facts: { supplierId },
    });
    expect((await suppliers.get(supplierId)).baseUrl).toBe(simulator.url);
  });

  test.each([
    { supplierId: "" },
    { supplierId: "Acme" },
    { supplierId: "-acme" },
    { supplierId: "a".repeat(65) },
    { baseUrl: "codes.example/shop/v1" },
    { baseUrl: "ftp://codes.example" },
    { baseUrl: "http://codes.example/shop/v1" },
    { baseUrl: "https://codes.example/shop/v1?key=a" },
    { baseUrl: "https://codes.example/shop/v1#a" },
    { baseUrl: "https://user:secret@codes.example/shop/v1" },
    { baseUrl: `https://codes.example/${"a".repeat(2_000)}` },
    { apiKey: "" },
    { apiKey: "two words" },
    { apiKey: "schlüssel" },
    { apiKey: "a".repeat(513) },
  ])("needs a proper id, address and key: %j", async (changes) => {
    const request = {
      supplierId: "acme",
      baseUrl: "https://codes.example/shop/v1",
      apiKey: "key",
      ...changes,
    };
    await expect(suppliers.add(request)).rejects.toMatchObject({ name: "InvalidInputError" });
    await expect(suppliers.get("acme")).rejects.toMatchObject({ name: "NotFoundError" });
  });

  test("has an address without a slash at its end, and its key is encrypted for its id alone", async () => {
    await suppliers.setAccess(supplierId, { baseUrl: "https://Codes.example:443/shop/v1//" });
    expect((await suppliers.get(supplierId)).baseUrl).toBe("https://codes.example/shop/v1");
    const sql = "SELECT api_key_ciphertext FROM suppliers WHERE supplier_id = ?";
    const [row] = await services.database.rows<{ api_key_ciphertext: Buffer }>(sql, [supplierId]);
    const ciphertext = row?.api_key_ciphertext ?? Buffer.alloc(0);
    expect(ciphertext.includes(simulator.apiKey)).toBe(false);
    const cipher = createCipher(TEST_KEY_RING);
    expect(cipher.decrypt(ciphertext, `supplier-key\0${supplierId}`).toString()).toBe(simulator.apiKey);
    expect(() => cipher.decrypt(ciphertext, "supplier-key\0other")).toThrow();
  });

  test("that is unknown cannot be changed or asked", async () => {
    const unknown = { name: "NotFoundError" };
    await expect(suppliers.setStatus("nobody", "disabled")).rejects.toMatchObject(unknown);
    await expect(suppliers.setAccess("nobody", { apiKey: "key" })).rejects.toMatchObject(unknown);
    await expect(suppliers.setAccess("nobody", { baseUrl: "https://codes.example" })).rejects.toMatchObject(
      unknown,
    );
    await expect(suppliers.adapterOf("nobody")).rejects.toMatchObject(NOT_CONFIGURED);
    await expect(suppliers.catalog("nobody")).rejects.toMatchObject(NOT_CONFIGURED);
  });
});

describe("the adapter of a supplier", () => {
  test("stays the same while address and key do", async () => {
    const { adapter } = await suppliers.adapterOf(supplierId);
    await suppliers.setStatus(supplierId, "disabled");
    const disabled = await suppliers.adapterOf(supplierId);
    expect(disabled.supplier.status).toBe("disabled");
    expect(disabled.adapter).toBe(adapter);
    await suppliers.setAccess(supplierId, { baseUrl: "http://127.0.0.1:1/shop/v1" });
    expect((await suppliers.adapterOf(supplierId)).adapter).not.toBe(adapter);
  });

  test("is another within a second when another process changes the supplier", async () => {
    const other = suppliersOfAnotherProcess();
    const ask = async () => (await (await suppliers.adapterOf(supplierId)).adapter.balance()).kind;
    expect(await ask()).toBe("known");
    await other.setAccess(supplierId, { apiKey: "wrong" });
    await delay(FELT_MS);
    expect(await ask()).toBe("unknown");
    await other.setAccess(supplierId, { apiKey: simulator.apiKey });
    await delay(FELT_MS);
    expect(await ask()).toBe("known");
  });

  test("is not to be had while the key cannot be decrypted", async () => {
    const other = suppliersOfAnotherProcess([{ id: "other", key: Buffer.alloc(32, 9) }]);
    await expect(other.adapterOf(supplierId)).rejects.toMatchObject(NOT_CONFIGURED);
    await expect(other.checkEncryptionKeys()).rejects.toMatchObject({ name: "WrongEncryptionKeysError" });
    await expect(suppliers.checkEncryptionKeys()).resolves.toBeUndefined();
  });

  test("tells how its breaker stands", async () => {
    expect(suppliers.breakerStates()).toEqual([]);
    await suppliers.setAccess(supplierId, { baseUrl: "http://127.0.0.1:1/shop/v1" });
    const { adapter } = await suppliers.adapterOf(supplierId);
    expect(suppliers.breakerStates()).toEqual([{ supplierId, state: "closed" }]);
    await Promise.all(Array.from({ length: 20 }, () => adapter.balance()));
    expect(suppliers.breakerStates()).toEqual([{ supplierId, state: "open" }]);
  });
});

describe("a quote", () => {
  test("is kept for some seconds, unless it has to be fresh", async () => {
    expect(await quote()).toEqual({ unitCostMicrocents: usd("1.00"), available: true });
    simulator.setPrice("pen", "1.50");
    expect(await quote()).toMatchObject({ unitCostMicrocents: usd("1.00") });
    expect(await quote(true)).toMatchObject({ unitCostMicrocents: usd("1.50") });
    expect(await quote()).toMatchObject({ unitCostMicrocents: usd("1.50") });
  });

  test("is one of its own for every quantity", async () => {
    expect(await quote()).toMatchObject({ available: true });
    expect(await suppliers.quote(supplierId, "pen", 6, { fresh: false, purpose: "look" })).toMatchObject({
      available: false,
    });
  });

  test("is not given for a supplier that is disabled, in every process within a second", async () => {
    await quote();
    await suppliers.catalog(supplierId);
    await suppliersOfAnotherProcess().setStatus(supplierId, "disabled");
    await delay(FELT_MS);
    await expect(quote()).rejects.toMatchObject(NOT_CONFIGURED);
    await expect(suppliers.catalog(supplierId)).rejects.toMatchObject(NOT_CONFIGURED);
    await suppliers.setStatus(supplierId, "active");
    expect(await quote()).toMatchObject({ available: true });
  });

  test("is not what the supplier's former address said", async () => {
    await quote();
    await suppliers.setAccess(supplierId, { baseUrl: "http://127.0.0.1:1/shop/v1" });
    await expect(quote()).rejects.toMatchObject({ name: "SupplierUnavailableError" });
  });
});

test("a supplier is reached over http at another machine only when that is allowed", async () => {
  const baseUrl = "http://codes.internal/shop/v1";
  await expect(suppliers.setAccess(supplierId, { baseUrl })).rejects.toMatchObject({ code: "invalid_input" });
  expect(await suppliers.setAccess(supplierId, { baseUrl, allowsHttp: true })).toMatchObject({ baseUrl });
});

import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { Caller } from "../keys/api-key.ts";
import type { KeyRing } from "../stock/code-cipher.ts";
import { findSupplier, replaceApiKeyCiphertext } from "../suppliers/supplier-store.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { testOperator } from "../testing/test-operator.ts";
import { addPerson, addTotp, codeAt, signIn } from "../testing/test-people.ts";
import {
  linesOf,
  openTestServices,
  TEST_KEY_RING,
  type TestServices,
  testConfig,
} from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const CODES = 2_500;
const NEW_KEY = { id: "new", key: Buffer.alloc(32, 2) };
const BOTH: KeyRing = [NEW_KEY, ...TEST_KEY_RING];

let services: TestServices;
let productId: string;
let codes: string[];
let caller: Caller;
beforeEach(async () => {
  services = await openTestServices();
  ({ productId, codes } = await services.addProduct({ codes: CODES, price: "0.01" }));
  const accountId = await services.addAccount("1000");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("The key is not known.");
  caller = known;
});
// Ends with the audit.
afterEach(() => services.dispose());

function withKeys(codeEncryptionKeys: KeyRing): Services {
  const other = compose(testConfig(services.databaseUrl, { codeEncryptionKeys }));
  onTestFinished(() => closeDatabase(other.database));
  return other;
}

const order = (externalOrderId: string, ordered = productId, qty = 1) => ({
  caller,
  externalOrderId,
  productId: ordered,
  qty,
  expectedUnitPrice: null,
});

test("an API key that the operator sets while a rotation runs is kept", async () => {
  const { simulator, supplierId } = await addOnDemandProduct(services);
  onTestFinished(() => simulator.close());
  const before = await findSupplier(services.database, supplierId);
  if (before === null) throw new Error("The supplier is not there.");
  await services.suppliers.setAccess(supplierId, { apiKey: "another-key" });
  const set = await findSupplier(services.database, supplierId);
  const { apiKeyCiphertext } = before;
  await replaceApiKeyCiphertext(services.database, supplierId, apiKeyCiphertext, Buffer.from("resealed"));
  expect(await findSupplier(services.database, supplierId)).toEqual(set);
});

test("people's apps for codes work on after a rotation, also where the old key is gone", async () => {
  const person = await addPerson(services, await services.addAccount());
  const { secret } = await addTotp(services, await signIn(services, person));
  const { complete } = await withKeys(BOTH).encryption.rotate();
  expect(complete).toBe(true);
  const { people } = withKeys([NEW_KEY]);
  const prove = () => people.factors.proveByTotp(person.userId, codeAt(secret, Date.now()));
  await expect.poll(prove).toBe(true);
});

test("a rotation while the shop sells leaves nothing under the old key, which can be taken away", async () => {
  const { productId: onDemand, simulator, supplierId } = await addOnDemandProduct(services);
  onTestFinished(() => simulator.close());
  const bought = (await services.orders.place(order("bought", onDemand, 2))).order.codes;
  const sold = (await services.orders.place(order("sold", productId, 3))).order.codes;

  const rotating = withKeys(BOTH);
  let selling = true;
  const sales = (async () => {
    const taken: string[] = [];
    for (let index = 0; selling; index += 1)
      taken.push(...(await rotating.orders.place(order(`during-${index}`))).order.codes);
    return taken;
  })();
  const progress: number[] = [];
  const result = await rotating.encryption.rotate(({ done, total }) => progress.push(done / total));
  selling = false;
  expect(result).toMatchObject({ currentKeyId: "new", unreadable: 0, complete: true });
  expect(result.resealed).toBeGreaterThanOrEqual(CODES + 2 + 1 + 1);
  expect(progress.at(-1)).toBe(1);
  const taken = await sales;
  expect(taken).toEqual(codes.slice(3, 3 + taken.length));

  const alone = withKeys([NEW_KEY]);
  await alone.stock.checkEncryptionKeys();
  await alone.suppliers.checkEncryptionKeys();
  expect(await alone.encryption.openAllCodes()).toMatchObject({ codes: CODES + 2, unreadable: 0 });
  expect((await alone.orders.place(order("bought", onDemand, 2))).order.codes).toEqual(bought);
  expect((await alone.orders.place(order("sold", productId, 3))).order.codes).toEqual(sold);
  expect((await alone.orders.place(order("next"))).order.codes).toEqual([codes[3 + taken.length]]);
  expect((await alone.orders.place(order("next on demand", onDemand))).order.codes).toHaveLength(1);
  expect(await alone.suppliers.get(supplierId)).toMatchObject({ supplierId });
  // Codes are still known by their fingerprints.
  expect(await alone.stock.import(productId, linesOf(codes.slice(0, 2)))).toMatchObject({ duplicates: 2 });
  expect((await alone.encryption.rotate()).resealed).toBe(0);
});

test("a rotation that was broken off is repeated, and does only what is left", async () => {
  const rotating = withKeys(BOTH);
  const broken = rotating.encryption.rotate(({ done }) => {
    if (done >= 1_000) throw new Error("The machine fails.");
  });
  await expect(broken).rejects.toThrow("The machine fails.");
  await expect(withKeys([NEW_KEY]).stock.checkEncryptionKeys()).rejects.toMatchObject({
    code: "wrong_encryption_keys",
  });
  const { resealed, complete } = await rotating.encryption.rotate();
  expect(complete).toBe(true);
  expect(resealed).toBe(CODES - 1_000 + 1);
  await withKeys([NEW_KEY]).stock.checkEncryptionKeys();
});

test("a rotation is not complete while an import runs with the old key", async () => {
  const rotating = withKeys(BOTH);
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* slow() {
    yield* Array.from({ length: 500 }, (_, index) => `SLOW-${index}`);
    begun.resolve();
    await go.promise;
    yield "LATE";
  }
  const importing = services.stock.import(productId, slow());
  await begun.promise;
  expect(await rotating.encryption.rotate()).toMatchObject({ complete: false });
  go.resolve();
  await importing;
  expect(await rotating.encryption.rotate()).toMatchObject({ complete: true, resealed: 1 });
  expect(await withKeys([NEW_KEY]).encryption.openAllCodes()).toMatchObject({ unreadable: 0 });
});

test("a process that lacks a key does not rotate", async () => {
  await expect(withKeys([NEW_KEY]).encryption.rotate()).rejects.toMatchObject({
    code: "wrong_encryption_keys",
  });
});

test("nothing is rotated while a running process lacks the key, or does not have it first", async () => {
  const envOf = (...ids: readonly KeyRing[number][]) => ({
    CODE_ENCRYPTION_KEYS: ids.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(","),
  });
  const operator = testOperator(services.databaseUrl, BOTH);
  const rotate = () => operator.run(["encryption-key", "rotate"]);
  const sealedAnew = async () =>
    (
      await services.database.rows(
        "SELECT 1 FROM codes WHERE ciphertext LIKE CONCAT(CHAR(3), 'new%') UNION ALL SELECT 1 FROM service_secrets WHERE name LIKE '%:new'",
      )
    ).length;

  const lacking = await startServerProcess(services.databaseUrl);
  const refused = await rotate();
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/"new".*\(process \d+\) lacks it.*\nNext step: put the key first/);
  expect(await sealedAnew()).toBe(0);
  await lacking.kill("SIGTERM");

  const second = await startServerProcess(services.databaseUrl, envOf(...TEST_KEY_RING, NEW_KEY));
  expect((await rotate()).stderr).toMatch(/\(process \d+\) does not have it first/);
  expect(await sealedAnew()).toBe(0);
  // One that was killed is forgotten when it has not been heard of for a while.
  await second.kill("SIGKILL");
  expect(await rotate()).toMatchObject({ exitCode: 1 });
  await services.database.change("UPDATE service_processes SET until_ms = 1");

  const first = await startServerProcess(services.databaseUrl, envOf(...BOTH));
  expect(await rotate()).toMatchObject({ exitCode: 0 });
  await first.kill("SIGTERM");
  expect(await services.processes.list()).toEqual([]);
});

test("a rotation that leaves something unopened says so, and nothing else", async () => {
  await services.database.change(
    "UPDATE codes SET ciphertext = CONCAT(LEFT(ciphertext, 5), REVERSE(SUBSTRING(ciphertext, 6))) WHERE product_id = ? AND sequence = 7",
    [productId],
  );
  const operator = testOperator(services.databaseUrl, BOTH);
  const rotated = await operator.run(["encryption-key", "rotate"]);
  expect(rotated.exitCode).toBe(1);
  expect(rotated.stdout).toMatch(/^Complete +no$/m);
  expect(rotated.stdout).toContain(`stock/${productId}:7`);
  expect(rotated.stderr).toContain("error: 1 cannot be opened with any key");
  const repeated = await operator.run(["encryption-key", "rotate", "--json"]);
  expect(repeated).toMatchObject({ exitCode: 1, json: { unreadable: 1, resealed: 0, complete: false } });
});

test("the operator rotates, and opens all codes, from where it was broken off as well", async () => {
  const operator = testOperator(services.databaseUrl, BOTH);
  const rotated = await operator.run(["encryption-key", "rotate"], { isTTY: true });
  expect(rotated.exitCode).toBe(0);
  expect(rotated.stdout).toContain("the other keys may be taken away");
  expect(rotated.stderr).toContain("2,500 of 2,501");
  expect(await operator.json(["audit", "--codes"])).toEqual({
    ...{ ok: true, codes: CODES, unreadable: 0, places: [], continueFrom: null },
  });
  await services.database.change(
    "UPDATE codes SET ciphertext = REVERSE(ciphertext) WHERE product_id = ? AND sequence IN (7, 2000)",
    [productId],
  );
  const failed = await operator.run(["audit", "--codes", "--from", `stock/${productId}:1000`]);
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toContain(`stock/${productId}:2000`);
  expect(failed.stdout).not.toContain(`stock/${productId}:7\n`);
  expect(failed.stderr).toContain("error: 1 codes cannot be opened");
  const [begun] = await Promise.all([services.encryption.openAllCodes({ signal: AbortSignal.abort() })]);
  expect(begun).toMatchObject({ codes: 1_000, continueFrom: `stock/${productId}:999` });
  await expect(services.encryption.openAllCodes({ from: "elsewhere/1:1" })).rejects.toMatchObject({
    code: "invalid_input",
  });
});

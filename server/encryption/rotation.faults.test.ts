import { expect, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { scaled } from "../testing/faults/fault-runs.ts";
import { linesOf, openTestServices, TEST_KEY_RING, testConfig } from "../testing/test-shop.ts";

const NEW_KEY = { id: "new", key: Buffer.alloc(32, 2) };

test("100,000 codes are sealed anew while the shop runs, and open without the old key", async () => {
  const services = await openTestServices();
  const { productId } = await services.addProduct({ codes: 0 });
  const codes = scaled(100_000);
  await services.stock.import(
    productId,
    linesOf(Array.from({ length: codes }, (_, index) => `CODE-${index}`)),
  );
  const rotating = compose(
    testConfig(services.databaseUrl, { codeEncryptionKeys: [NEW_KEY, ...TEST_KEY_RING] }),
  );
  const startedMs = performance.now();
  expect(await rotating.encryption.rotate()).toMatchObject({ complete: true, resealed: codes + 1 });
  const rotatedMs = performance.now();
  const alone = compose(testConfig(services.databaseUrl, { codeEncryptionKeys: [NEW_KEY] }));
  await alone.stock.checkEncryptionKeys();
  expect(await alone.encryption.openAllCodes()).toMatchObject({ codes, unreadable: 0 });
  const rounded = (ms: number) => Math.round(ms).toLocaleString("en-US");
  console.log(
    `${codes} codes: sealed anew in ${rounded(rotatedMs - startedMs)} ms, opened in ${rounded(performance.now() - rotatedMs)} ms`,
  );
  await closeDatabase(rotating.database);
  await closeDatabase(alone.database);
  await services.dispose();
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Interceptor, startInterceptor } from "../testing/faults/interceptor.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
/** The requests to the database whose answers are cut off. */
let cut: RegExp;
let interceptor: Interceptor;
let operator: TestOperator;
beforeAll(async () => {
  services = await openTestServices();
  interceptor = await startInterceptor(services.databaseTcpUrl, ({ from, request }) =>
    from === "server" && cut.test(request) ? "cut" : "pass",
  );
  operator = testOperator(interceptor.url, TEST_KEY_RING);
});
afterAll(async () => {
  interceptor.close();
  // Ends with the audit.
  await services.dispose();
});

/** A command whose change takes effect and gets no answer. */
async function runCut(change: RegExp, ...args: string[]): Promise<string> {
  cut = change;
  const { exitCode, stdout, stderr } = await operator.run(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^error: .* may have taken effect\.\n/);
  return stderr;
}

test("a change that got no answer is told as one that may have taken effect, with where to look", async () => {
  const { productId } = await services.addProduct();
  expect(await runCut(/^query COMMIT/, "product", "disable", productId)).toContain(
    "look with: npm run -s operator -- product list;",
  );
  expect(await services.products.get(productId)).toMatchObject({ enabled: false });

  expect(await runCut(/^query COMMIT/, "account", "create", "--name", "Twice")).toContain(
    "look with: npm run -s operator -- account list;",
  );
  expect((await services.accounts.list()).map(({ name }) => name)).toContain("Twice");

  const accountId = await services.addAccount("1");
  const { keyId } = await services.addKey(accountId);
  expect(await runCut(/^query COMMIT/, "key", "revoke", keyId)).toContain(
    "look with: npm run -s operator -- key list --account ID;",
  );
  expect(await services.keys.list(accountId)).toMatchObject([{ status: "revoked" }]);
});

import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { requestShop } from "../../../../server/testing/request-shop.ts";
import { orderUntilDelivered } from "../../../../server/testing/supplied-orders.ts";
import { addPerson } from "../../../../server/testing/test-people.ts";
import { startTestShop, type TestShop } from "../../../../server/testing/test-shop.ts";
import { browserTest, press } from "../../testing/browser.ts";

const BUYERS = 2;
const ORDERS_BETWEEN = 20;
/** More than are bought while a page is used. */
const CODES = 20_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

/** Programs that buy one code after the other, each with the secret that it has at that moment. */
function startBuying(productId: string, secretOf: (buyer: number) => string) {
  const delivered = new Set<string>();
  const failures: string[] = [];
  let isStopped = false;
  const buyers = Array.from({ length: BUYERS }, async (_, buyer) => {
    while (!isStopped) {
      const body = { externalOrderId: randomUUID(), productId, qty: 1 };
      // A machine that is very busy may answer with a 503 first.
      const {
        status,
        body: answer,
        text,
      } = await orderUntilDelivered(() =>
        requestShop(shop.baseUrl, "/orders", { key: secretOf(buyer), body }),
      );
      if (status === 200) delivered.add(answer.orderId);
      else failures.push(`${status} ${text}`);
    }
  });
  const ended = () => delivered.size + failures.length;
  return {
    delivered,
    failures,
    /** Waits until some more orders have come to an end. */
    async more() {
      const enough = ended() + ORDERS_BETWEEN;
      await expect.poll(ended).toBeGreaterThanOrEqual(enough);
    },
    async stop() {
      isStopped = true;
      await Promise.all(buyers);
    },
  };
}

/** Signs in and opens the page of a key. */
async function openKey(page: Page, accountId: TestShop["accountId"], keyId: string): Promise<void> {
  const { email, password } = await addPerson(shop, accountId);
  await page.goto(`${shop.ownUrl}/account/${accountId}/keys/${keyId}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
}

browserTest("a key that is rotated on its page while orders come loses none of them", async (page) => {
  const accountId = await shop.addAccount("1000");
  const { keyId, key } = await shop.addKey(accountId);
  const { productId } = await shop.addProduct({ price: "0.01", codes: CODES });
  await openKey(page, accountId, keyId);
  const secrets = Array.from({ length: BUYERS }, () => key);
  const buying = startBuying(productId, (buyer) => secrets[buyer] ?? key);
  await buying.more();

  await press(page, "Rotate");
  await press(page, "Make the new secret");
  const dialog = page.getByRole("dialog", { name: "New secret of the key" });
  const secret = await dialog.locator("code").innerText();
  expect(secret).not.toBe(key);
  await press(page, "I have stored it");
  await buying.more();
  // One program takes the new secret while the other still has the former, which then takes it as well.
  for (const buyer of secrets.keys()) {
    secrets[buyer] = secret;
    await buying.more();
  }
  await press(page, "End the former secrets now");
  const former = page.getByRole("table", { name: "Former secrets that still work" });
  await former.waitFor({ state: "detached" });
  await expect.poll(async () => (await requestShop(shop.baseUrl, "/products", { key })).status).toBe(401);
  await buying.more();

  await buying.stop();
  expect(buying.failures).toEqual([]);
  const rows = await shop.database.rows("SELECT order_id FROM orders WHERE key_id = ?", [keyId]);
  expect(rows).toHaveLength(buying.delivered.size);
});

import { afterAll, beforeAll, expect } from "vitest";
import { type FixedClock, fixedClock } from "../../../../server/testing/fixed-clock.ts";
import { findStablePort } from "../../../../server/testing/free-port.ts";
import { addPerson } from "../../../../server/testing/test-people.ts";
import { startTestShop, type TestShop } from "../../../../server/testing/test-shop.ts";
import { browserTest, press } from "../../testing/browser.ts";
import { giveAuthenticator } from "../../testing/virtual-authenticator.ts";

const STEP_UP_MS = 11 * 60_000;

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-11-20T12:00:00Z");
  // A passkey is used from the address that the service knows as its own.
  shop = await startTestShop(time.clock, { port: await findStablePort() });
});
afterAll(() => shop.stop());

browserTest("a person adds a passkey, signs in with it, sees codes by it, and removes it", async (page) => {
  const person = await addPerson(shop, shop.accountId);
  const body = { externalOrderId: "with-a-passkey", productId: shop.productId, qty: 1 };
  const { orderId, codes } = (await shop.call("/orders", { body })).body;
  const account = `${new URL(shop.ownUrl).origin.replace("127.0.0.1", "localhost")}/account/${shop.accountId}`;
  const { remove } = await giveAuthenticator(page);

  await page.goto(`${account}/security`);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await press(page, "Sign in");
  // All of it by keyboard alone.
  await page.getByRole("button", { name: "Add a passkey" }).press("Enter");
  await page.getByLabel("Name of the passkey").fill("Work laptop");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Your recovery codes" }).waitFor();
  expect(await page.getByRole("dialog").locator("li").count()).toBe(10);
  await press(page, "I have stored them");
  await page.getByRole("row", { name: /Work laptop.*Never/ }).waitFor();
  await page.getByText("10 of 10 recovery codes are left").waitFor();

  await page.getByText("Ada", { exact: true }).click();
  await press(page, "Sign out");
  await press(page, "Sign in with a passkey");
  await page.getByText("$99.00").first().waitFor();

  time.advance(STEP_UP_MS);
  await page.goto(`${account}/orders/${orderId}`);
  await press(page, "Show the codes");
  await page.getByRole("dialog", { name: "Is it still you?" }).waitFor();
  await press(page, "Use a passkey");
  await page.getByText(codes[0]).waitFor();

  await page.goto(`${account}/security`);
  await press(page, "Remove Work laptop");
  await press(page, "Remove the passkey");
  await page.getByText("A passkey signs you in by").waitFor();
  await page.getByText("Ada", { exact: true }).click();
  await press(page, "Sign out");
  await press(page, "Sign in with a passkey");
  await page.getByText("The passkey was not accepted").waitFor();
  await remove();
});

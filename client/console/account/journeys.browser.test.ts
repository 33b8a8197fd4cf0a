import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type FixedClock, fixedClock } from "../../../server/testing/fixed-clock.ts";
import { requestShop } from "../../../server/testing/request-shop.ts";
import { addPerson, codeAt, TOTP_STEP_MS } from "../../../server/testing/test-people.ts";
import { startTestShop, type TestShop } from "../../../server/testing/test-shop.ts";
import { browserTest, press } from "../testing/browser.ts";

const STEP_UP_MS = 11 * 60_000;
const PASSWORD = "correct horse battery";

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-11-20T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

const open = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

/** Sends an order with a key. @returns the status */
async function buyWith(key: string, externalOrderId: string): Promise<number> {
  const body = { externalOrderId, productId: shop.productId, qty: 1 };
  return (await requestShop(shop.baseUrl, "/orders", { key, body })).status;
}

/** Runs a line of a terminal. @returns what it has printed */
async function runLine(line: string): Promise<string> {
  return (await promisify(execFile)("sh", ["-c", line])).stdout;
}

/** Sets an app for codes up. @returns what gives its codes, each in a step of its own */
async function setUpApp(page: Page): Promise<() => string> {
  await page.getByText("Ada", { exact: true }).click();
  await open(page, "Security");
  await press(page, "Set up an app");
  const secret = await page.locator("main code").first().innerText();
  const nextCode = () => {
    time.advance(TOTP_STEP_MS);
    return codeAt(secret, time.clock());
  };
  await page.getByLabel("Code", { exact: true }).fill(nextCode());
  await press(page, "Use this app");
  await page.getByRole("dialog", { name: "Your recovery codes" }).waitFor();
  expect(await page.getByRole("dialog").locator("li").count()).toBe(10);
  await press(page, "I have stored them");
  await page.getByText("10 of 10 recovery codes are left").waitFor();
  return nextCode;
}

/** The secret in the dialog that shows it once; closes that. */
async function takeSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole("dialog", { name: title });
  const secret = await dialog.locator("code").first().innerText();
  // A key that was hit does not lose it.
  await page.keyboard.press("Escape");
  await press(page, "I have stored it");
  await dialog.waitFor({ state: "detached" });
  return secret;
}

browserTest("an invited person sets a second factor, makes a key, rotates and revokes it", async (page) => {
  const { link } = await shop.people.invitations.invite("ada@buyer.example", shop.accountId, "owner");
  await page.goto(`${shop.ownUrl}/account/${new URL(link).hash}`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Password").fill(PASSWORD);
  await press(page, "Accept");
  await page.getByText("$100.00").first().waitFor();
  expect(page.url()).toBe(`${shop.ownUrl}/account/${shop.accountId}`);
  expect(await page.evaluate("history.length")).toBeLessThanOrEqual(3);

  const nextCode = await setUpApp(page);
  await open(page, "Keys");
  await press(page, "Make a key");
  await page.getByLabel("Name").fill("Order desk");
  await page.getByLabel("Cap of one order").fill("a lot");
  await press(page, "Make it");
  await page.locator('[aria-invalid="true"][name="orderCap"]').waitFor();
  await page.getByLabel("Cap of one order").fill("$5");
  await press(page, "Make it");
  const lines = page.getByRole("dialog").locator("code");
  const [listing, buying] = [await lines.nth(1).innerText(), await lines.nth(2).innerText()];
  expect(await runLine(listing)).toContain(`"id":"${shop.productId}"`);
  expect(await runLine(buying.replace("PRODUCT", shop.productId))).toContain('"status":"delivered"');
  const first = await takeSecret(page, "Your new key");
  expect(await buyWith(first, "first")).toBe(200);

  time.advance(STEP_UP_MS);
  await open(page, "Order desk");
  await press(page, "Rotate");
  await press(page, "Make the new secret");
  const asking = page.getByRole("dialog", { name: "Is it still you?" });
  await asking.getByLabel("Code", { exact: true }).fill(nextCode());
  await press(page, "Go on");
  const second = await takeSecret(page, "New secret of the key");
  expect(second).not.toBe(first);
  expect([await buyWith(first, "second"), await buyWith(second, "third")]).toEqual([200, 200]);

  await press(page, "Revoke");
  await press(page, "Revoke for good");
  await page.getByText("It is revoked already.").waitFor();
  await expect.poll(() => buyWith(second, "fourth")).toBe(401);
  await expect.poll(() => buyWith(first, "fourth")).toBe(401);

  await open(page, "Orders");
  await page.getByLabel("Your program's id of an order").fill("second");
  await press(page, "Show");
  await page.getByRole("row", { name: /second/ }).waitFor();
  expect(new URL(page.url()).search).toBe("?externalOrderId=second");
  for (const secret of [first, second, PASSWORD]) expect(shop.log()).not.toContain(secret);
});

browserTest("a session that ends in the middle of a form loses nothing of it", async (page) => {
  const person = await addPerson(shop, shop.accountId);
  const signIn = async () => {
    await page.getByLabel("Password").fill(person.password);
    await press(page, "Sign in");
  };
  await page.goto(`${shop.ownUrl}/account/${shop.accountId}/keys`);
  await page.getByLabel("E-mail").fill(person.email);
  await signIn();
  await press(page, "Make a key");
  await page.getByLabel("Name").fill("Night shift");
  await page.context().clearCookies();
  await press(page, "Make it");
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  await signIn();
  await takeSecret(page, "Your new key");
  await page.getByRole("link", { name: "Night shift" }).waitFor();
});

browserTest("a key whose answer was lost is neither made twice nor left lying", async (page) => {
  const person = await addPerson(shop, shop.accountId);
  await page.goto(`${shop.ownUrl}/account/${shop.accountId}/keys`);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await press(page, "Sign in");
  await press(page, "Make a key");
  await page.getByLabel("Name").fill("Lost and found");
  const requests = "**/account/v1/accounts/*/keys";
  await page.route(requests, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await press(page, "Make it");
  await page.getByText("There was no answer").waitFor();
  await page.unroute(requests);
  await press(page, "Make it");
  await press(page, "Revoke that key");
  await page.getByText("The key was made already").waitFor({ state: "detached" });
  await press(page, "Make it");
  await takeSecret(page, "Your new key");
  const rows = page.getByRole("row", { name: /Lost and found/ });
  await expect.poll(() => rows.count()).toBe(2);
  await expect.poll(() => rows.filter({ hasText: "Revoked" }).count()).toBe(1);
});

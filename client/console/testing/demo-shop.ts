import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { startProgram } from "../../../server/testing/program.ts";
import { findChromium, installChromium } from "./chromium.ts";

const START = resolve(import.meta.dirname, "../../../scripts/start.ts");
const PASSWORD = "a password for the pictures";

/** What `npm start` has printed of a demo shop. */
export interface DemoShop {
  /** Of the ordering interface, such as `http://127.0.0.1:8080/shop/v1`. */
  readonly orderingUrl: string;
  readonly proxyUrl: string;
  readonly orderingKey: string;
  readonly generalKey: string;
  /** The invitation to the account center, which is good for one person. */
  readonly invitationLink: string;
}

/** Opens a demo shop of its own, which is gone afterwards. */
export async function withDemoShop(work: (shop: DemoShop) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "demo-shop-"));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: "0",
    ADMIN_PORT: "0",
    OPERATOR_PORT: "0",
    LOG_LEVEL: "silent",
  };
  const program = startProgram(process.execPath, [START], { env });
  try {
    await program.printed(/Ctrl-C stops the shop/);
    await work(demoShopOf(program.output()));
  } finally {
    await program.kill("SIGTERM");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function demoShopOf(shown: string): DemoShop {
  const found = (pattern: RegExp): string => {
    const [, match] = pattern.exec(shown) ?? [];
    if (match === undefined) throw new Error(`${pattern} is not in:\n${shown}`);
    return match;
  };
  return {
    orderingUrl: found(/Ordering interface +(\S+)/),
    proxyUrl: found(/AI proxy +(\S+)/),
    orderingKey: found(/product_ordering +(\S+)/),
    generalKey: found(/general +(\S+)/),
    invitationLink: found(/Account center +(\S+)/),
  };
}

/** Buys codes and calls a model, as the lines do that the start prints. */
export async function fillDemoShop(shop: DemoShop): Promise<void> {
  for (const [index, productId] of ["demo-ai-month", "demo-ai-credit", "demo-ai-on-demand"].entries())
    await placeOrder(shop, `basket-10${index}`, productId);
  await post(
    `${shop.proxyUrl}/v1/messages`,
    { "x-api-key": shop.generalKey, "anthropic-version": "2023-06-01" },
    { model: "sim-echo", max_tokens: 100, messages: [{ role: "user", content: "Say hello." }] },
  );
}

/** Buys one code. */
export async function placeOrder(shop: DemoShop, externalOrderId: string, productId: string): Promise<void> {
  const headers = { Authorization: `Bearer ${shop.orderingKey}` };
  await post(`${shop.orderingUrl}/orders`, headers, { externalOrderId, productId, qty: 1 });
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<void> {
  const init = { method: "POST", headers: { ...headers, "Content-Type": "application/json" } };
  const response = await fetch(url, { ...init, body: JSON.stringify(body) });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer}`);
}

/** Opens a Chromium, which is closed afterwards. @throws where there is none and none can be installed */
export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  installChromium(console.error);
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("There is no Chromium on this machine: install it.");
  const browser = await chromium.launch({ executablePath, args: ["--disable-dev-shm-usage"] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens the invitation, chooses a password and is in. @returns where the account's pages begin */
export async function acceptInvitation(page: Page, { invitationLink }: DemoShop): Promise<string> {
  await page.goto(invitationLink);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Accept" }).click();
  await page.waitForURL(/\/account\/acc_\w+$/);
  return page.url();
}

/** Waits until the page shows all that it has asked for. */
export async function waitUntilShown(page: Page): Promise<void> {
  await page.locator('main:not([aria-busy="true"]) h1').waitFor();
  await page.getByText("Loading …").first().waitFor({ state: "detached" });
}

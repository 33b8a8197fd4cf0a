// `npm run screenshots`: photographs the account center of a fresh demo shop, for the README.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import {
  acceptInvitation,
  type DemoShop,
  fillDemoShop,
  waitUntilShown,
  withChromium,
  withDemoShop,
} from "../client/console/testing/demo-shop.ts";

/** Where the README shows them from. */
const FOLDER = resolve(import.meta.dirname, "../client/console/screenshots");
const WIDTH = 1200;

/** What is photographed: the page's path below the account, light or dark, and how much of it. */
const SHOTS = [
  { name: "overview", path: "", colorScheme: "light", height: 820 },
  { name: "orders", path: "/orders", colorScheme: "light", height: 460 },
  { name: "statement", path: "/statements", colorScheme: "dark", height: 730 },
  { name: "keys", path: "/keys", colorScheme: "light", height: 420 },
  { name: "usage", path: "/usage", colorScheme: "light", height: 420 },
  { name: "statistics", path: "/statistics", colorScheme: "dark", height: 820 },
] as const;

await withDemoShop(async (shop) => {
  await fillDemoShop(shop);
  await withChromium((browser) => photograph(browser, shop));
});

async function photograph(browser: Browser, shop: DemoShop): Promise<void> {
  const page = await browser.newPage({ timezoneId: "Europe/Berlin", reducedMotion: "reduce" });
  const home = await acceptInvitation(page, shop);
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, colorScheme, height } of SHOTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: WIDTH, height });
    await page.goto(`${home}${path}`);
    await waitUntilShown(page);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    console.log(join(FOLDER, `${name}.png`));
  }
}

// A program: somebody who has the pages of an account open. It reads `OpenPagesInput` as JSON from its stdin, signs in, opens
// the pages, prints `open`, and keeps them open until it is ended; where it is told so, it loads one after the other again.
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { waitUntilShown, withChromium } from "./demo-shop.ts";

/** What the program is told. */
export interface OpenPagesInput {
  /** Where the account's pages begin. */
  readonly home: string;
  readonly email: string;
  readonly password: string;
  readonly pages: number;
  /** How long after one page the next is loaded again; null: none is. */
  readonly refreshMs: number | null;
}

const PATHS = ["", "/keys", "/orders", "/usage", "/statistics", "/ledger", "/members", "/activity"];

const { home, email, password, pages: count, refreshMs } = (await json(process.stdin)) as OpenPagesInput;
// The browser goes with this program.
process.once("SIGTERM", () => process.exit(0));
await withChromium(async (browser) => {
  const context = await browser.newContext();
  // Others have the processor first.
  context.setDefaultTimeout(0);
  const first = await context.newPage();
  await first.goto(home);
  await first.getByLabel("E-mail").fill(email);
  await first.getByLabel("Password").fill(password);
  await first.getByRole("button", { name: "Sign in", exact: true }).click();
  await waitUntilShown(first);
  const pages = [first];
  while (pages.length < count) {
    const page = await context.newPage();
    await page.goto(`${home}${PATHS[pages.length % PATHS.length]}`);
    await waitUntilShown(page);
    pages.push(page);
  }
  console.log("open");
  for (let next = 0; ; next += 1) {
    await delay(refreshMs ?? 1_000);
    if (refreshMs !== null) await pages[next % count]?.reload();
  }
});

// A program: somebody who has the pages of an account open. It reads `OpenPagesInput` as JSON from its stdin, signs in, opens
// the pages, prints `open`, and keeps them open until it is ended; where it is told so, it loads one after the other again, and
// prints `loaded` and its number after each.
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page, Request } from "playwright-core";
import { waitUntilShown, withChromium } from "./demo-shop.ts";

/** What the program is told. */
export interface OpenPagesInput {
  /** Where the account's pages begin. */
  readonly home: string;
  readonly email: string;
  readonly password: string;
  readonly pages: number;
  /**
   * Who loads the pages again: nobody; the browser; or this program, which closes the browser and then sends what that has sent, so
   * that it costs the service as much and the machine no browser.
   */
  readonly loadedBy: "nobody" | "browser" | "program";
  /** How long after one page the next is loaded again. */
  readonly everyMs: number;
}

/** What loading a page asks the service for: the page itself, then all that its program reads. */
type Load = readonly { readonly url: string; readonly headers: Record<string, string> }[];

const PATHS = ["", "/keys", "/orders", "/usage", "/statistics", "/ledger", "/members", "/activity"];
/** A browser has them from the first load on. */
const ASSET = "/account/assets/";

const {
  home,
  email,
  password,
  pages: count,
  loadedBy,
  everyMs,
} = (await json(process.stdin)) as OpenPagesInput;
// The browser goes with this program.
process.once("SIGTERM", () => process.exit(0));

const loads = await withChromium(async (browser) => {
  const pages = await openPages(browser);
  if (loadedBy === "program") return loadsOf(pages);
  console.log("open");
  if (loadedBy === "nobody") return new Promise<never>(() => {});
  return again((next) => pages[next % count]?.reload());
});
console.log("open");
await again((next) => send(loads[next % count] ?? []));

async function openPages(browser: Browser): Promise<Page[]> {
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
  return pages;
}

/** What the browser sends when it loads each of the pages again. */
async function loadsOf(pages: readonly Page[]): Promise<Load[]> {
  const loads: Load[] = [];
  for (const page of pages) {
    const sent: Request[] = [];
    page.on("request", (request) => sent.push(request));
    await page.reload();
    await waitUntilShown(page);
    loads.push(await Promise.all(sent.filter((request) => !request.url().includes(ASSET)).map(toSend)));
  }
  return loads;
}

async function toSend(request: Request): Promise<Load[number]> {
  const headers = Object.entries(await request.allHeaders());
  // The client of this program names host and connection by itself.
  const own = headers.filter(([name]) => !name.startsWith(":") && !["host", "connection"].includes(name));
  return { url: request.url(), headers: Object.fromEntries(own) };
}

async function send([page, ...read]: Load): Promise<void> {
  for (const together of [page === undefined ? [] : [page], read])
    await Promise.all(
      together.map(async ({ url, headers }) => {
        const answer = await fetch(url, { headers });
        await answer.arrayBuffer();
        if (answer.status >= 400) throw new Error(`${url} was answered ${answer.status}.`);
      }),
    );
}

/** @returns never: it goes on until the program is ended. */
async function again(work: (next: number) => Promise<unknown> | undefined): Promise<never> {
  for (let next = 0; ; next += 1) {
    await delay(everyMs);
    await work(next);
    console.log(`loaded ${next + 1}`);
  }
}

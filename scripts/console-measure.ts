// `npm run console:measure`: measures the pages of a fresh demo shop in a real Chromium against their bars.
import type { BrowserContext, Locator } from "playwright-core";
import {
  acceptInvitation,
  fillDemoShop,
  waitUntilShown,
  withChromium,
  withDemoShop,
} from "../client/console/testing/demo-shop.ts";

/** How many times slower the browser's processor is made. */
const SLOWED = 4;
/** How often each page is loaded; the middle of what comes of it counts. */
const LOADS = 5;
const PAGES = ["", "/keys", "/orders", "/usage", "/statistics", "/ledger", "/activity", "/settings"];
const [MAX_LCP_MS, MAX_INP_MS, MAX_CLS] = [1_200, 100, 0.02];

/** As web-vitals call them; LCP and INP in milliseconds. */
interface Vitals {
  readonly lcp: number;
  readonly inp: number;
  readonly cls: number;
}

/** Runs in the page, before its own programs. */
const OBSERVE_VITALS = `
  const vitals = globalThis.vitals = { lcp: 0, inp: 0, cls: 0 };
  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe("largest-contentful-paint", ({ startTime }) => { vitals.lcp = startTime; });
  observe("event", ({ duration }) => { vitals.inp = Math.max(vitals.inp, duration); }, { durationThreshold: 16 });
  observe("layout-shift", ({ hadRecentInput, value }) => { if (!hadRecentInput) vitals.cls += value; });
`;
/** Ends when what was done to the page is on the screen. */
const PAINTED = "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))";

await withDemoShop(async (shop) => {
  await fillDemoShop(shop);
  await withChromium(async (browser) => {
    const context = await browser.newContext({ timezoneId: "Europe/Berlin" });
    const page = await context.newPage();
    const home = await acceptInvitation(page, shop);
    await page.close();
    const rows: string[] = [];
    for (const path of PAGES) rows.push(rowOf(path, await middleVitalsOf(context, `${home}${path}`)));
    const bars = `| at most | ${MAX_LCP_MS} | ${MAX_INP_MS} | ${MAX_CLS} |`;
    console.log(["| page | LCP, ms | INP, ms | CLS |", "|---|---|---|---|", ...rows, bars].join("\n"));
  });
});

async function middleVitalsOf(context: BrowserContext, url: string): Promise<Vitals> {
  const found: Vitals[] = [];
  for (let load = 0; load < LOADS; load += 1) found.push(await vitalsOf(context, url));
  const middle = (name: keyof Vitals) =>
    found.map((vitals) => vitals[name]).toSorted((one, other) => one - other)[Math.floor(LOADS / 2)] ?? 0;
  return { lcp: middle("lcp"), inp: middle("inp"), cls: middle("cls") };
}

/**
 * Loads a page with an empty cache, goes through it by keyboard and opens another by pointer. Nothing is looked for in the page
 * while it is at work, since that would be work of the same processor.
 */
async function vitalsOf(context: BrowserContext, url: string): Promise<Vitals> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await page.addInitScript(OBSERVE_VITALS);
  await page.goto(url, { waitUntil: "networkidle" });
  await waitUntilShown(page);
  for (let count = 0; count < 5; count += 1) {
    await page.keyboard.press("Tab");
    await page.evaluate(PAINTED);
  }
  const { x, y } = await placeOf(page.getByRole("link", { name: "Members" }));
  await page.mouse.click(x, y);
  await page.evaluate(PAINTED);
  await page.getByRole("heading", { name: "Members", exact: true }).waitFor();
  await waitUntilShown(page);
  const vitals: Vitals = await page.evaluate("globalThis.vitals");
  await page.close();
  return vitals;
}

/** The middle of it, where a pointer meets it. */
async function placeOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} is not shown.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function rowOf(path: string, { lcp, inp, cls }: Vitals): string {
  return `| ${path === "" ? "/" : path} | ${Math.round(lcp)} | ${Math.round(inp)} | ${cls.toFixed(3)} |`;
}

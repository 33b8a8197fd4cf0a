import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { source as axeSource } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Page,
  type Response,
} from "playwright-core";
import { expect, test } from "vitest";
import { isOutdated } from "../build/build-console.ts";
import { findChromium } from "./chromium.ts";

/** What axe-core finds, as far as it is told. */
interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Every rule of WCAG 2.2 A and AA that a program can judge; in the dark what colours alone decide. */
const AXE_OPTIONS = {
  light: { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  dark: { runOnly: { type: "rule", values: ["color-contrast"] } },
};
const BUILD = resolve(import.meta.dirname, "../../../scripts/build.ts");
/** The width in pixels with the colours; it ends as pages begin. */
const LOOKS = [
  [360, "light"],
  [360, "dark"],
  [1440, "dark"],
  [1440, "light"],
] as const;
/** A browser tells of each answer that is an error or did not come; these are asked for. */
const TOLD_BY_STATUS = /^Failed to load resource: /;
/** Long enough for a machine that is busy; nothing is judged by it. */
const TIMEOUT_MS = 120_000;

interface Opened {
  readonly browser: Browser;
  /** One for all tests: it keeps what it has loaded, but no cookie. */
  readonly context: BrowserContext;
  /** A page that a test has left to the next one that begins anew in it. */
  kept: Page | null;
}

/** One for all test files of this process; it ends with that. */
let opened: Promise<Opened> | null = null;

/**
 * A test in a real browser; it fails by whatever the page reports as an error, and then tells what was refused and what is shown.
 * @param options.mayBeUsed whether its page may be that of a test before, where `begin` needs not load it again
 */
export function browserTest(
  name: string,
  work: (page: Page) => Promise<void>,
  { mayBeUsed = false } = {},
): void {
  test(name, async ({ skip }) => {
    const executablePath = findChromium();
    if (executablePath === null) return skip("there is no Chromium on this machine");
    buildOnce();
    opened ??= openBrowser(executablePath);
    const browser = await opened;
    const used = mayBeUsed ? browser.kept : null;
    if (used !== null) browser.kept = null;
    const page = used ?? (await browser.context.newPage());
    let isToBeKept = false;
    try {
      expect(await problemsDuring(page, work)).toEqual([]);
      isToBeKept = mayBeUsed;
    } finally {
      if (isToBeKept) browser.kept = page;
      else await page.close();
      await browser.context.clearCookies();
    }
  });
}

/** What the page reports as errors while something is done. */
async function problemsDuring(page: Page, work: (page: Page) => Promise<void>): Promise<string[]> {
  const problems: string[] = [];
  const onError = (error: Error) => problems.push(`${page.url()}: ${error.stack ?? error}`);
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() === "error" && !TOLD_BY_STATUS.test(message.text()))
      problems.push(`${page.url()}: ${message.text()}`);
  };
  const refusals: string[] = [];
  const onResponse = (response: Response) => {
    if (response.status() >= 400) refusals.push(`${response.status()} ${response.url()}`);
  };
  page.on("pageerror", onError).on("console", onMessage).on("response", onResponse);
  try {
    await work(page);
    return problems;
  } catch (error) {
    throw new Error(`${error}\n${[...problems, ...refusals].join("\n")}\n${await textOf(page)}`, {
      cause: error,
    });
  } finally {
    page.off("pageerror", onError).off("console", onMessage).off("response", onResponse);
  }
}

/** What a person sees at the moment. */
async function textOf(page: Page): Promise<string> {
  const text = await page.evaluate(() => document.body.innerText).catch(() => "");
  return `The page at ${page.url().replace(/#.*/, "")}: ${text.replaceAll(/\s+/g, " ")}`;
}

async function openBrowser(executablePath: string): Promise<Opened> {
  const browser = await chromium.launch({ executablePath, args: ["--disable-dev-shm-usage"] });
  const context = await browser.newContext({
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    viewport: { width: 1440, height: 900 },
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  return { browser, context, kept: null };
}

/** Builds the pages unless they are there already, once for all processes of a run. */
export function buildOnce(): void {
  if (isOutdated()) execFileSync(process.execPath, [BUILD, "--if-changed"], { stdio: "pipe" });
}

/** Presses the button of exactly that name. */
export function press(page: Page, name: string): Promise<void> {
  return page.getByRole("button", { name, exact: true }).click();
}

/**
 * Shows what is at the URL as a load of it would, without the cost of one where the page is there already: it begins anew as it
 * does when the browser shows it again from its memory.
 */
export async function begin(page: Page, url: string): Promise<void> {
  const isThere = page.url().startsWith(`${new URL(url).origin}/account/`);
  if (!isThere) return void (await page.goto(url));
  await page.evaluate((to) => {
    // Not by the router, which would show it in the page as it was before.
    History.prototype.replaceState.call(history, null, "", to);
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  }, url);
}

/** Waits until the page shows all that it has asked for, or asks the person for something first. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const shown = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.querySelector("main");
    const isSettled =
      shown?.closest('[aria-busy="true"]') === null &&
      shown.querySelector('[aria-busy="true"]') === null &&
      !shown.textContent.includes("Loading …");
    // What has begun is shown by a task of its own: it is looked at in two frames.
    const seen = globalThis as { wasSettled?: boolean };
    const wasSettled = seen.wasSettled === true;
    seen.wasSettled = isSettled && !wasSettled;
    return isSettled && wasSettled;
  });
}

/** Fails where the page, as it is now, keeps somebody out: light and dark, on a phone and on a desk. */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axeSource);
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const { violations, isTooWide } = await page.evaluate(async (options) => {
      const { violations } = await (globalThis as never as AxeWindow).axe.run(options);
      return { violations, isTooWide: document.documentElement.scrollWidth > window.innerWidth };
    }, AXE_OPTIONS[colorScheme]);
    const told = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ""}`),
    );
    expect(told, `${page.url()}, ${colorScheme}, ${width} px`).toEqual([]);
    expect(isTooWide, `${page.url()} is wider than ${width} px`).toBe(false);
  }
}

interface AxeWindow {
  readonly axe: { run(options: object): Promise<{ violations: Finding[] }> };
}

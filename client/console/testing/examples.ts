import type { Page } from "playwright-core";
import { expect } from "vitest";
import { begin, browserTest, expectAccessible, settle } from "./browser.ts";
import { type AnswerExample, examplesOf } from "./mock-console.ts";
import type { MockedConsole } from "./mocked-console.ts";

/** The account of the document's examples. */
export const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

interface ExamplesOptions {
  readonly mock: MockedConsole;
  /** Below `/account`. */
  readonly path: string;
  readonly operationId: string;
  /** What other operations answer meanwhile, where it is not their first example. */
  readonly given?: readonly AnswerExample[];
  /** What makes the page ask, where opening it does not. */
  readonly perform?: (page: Page) => Promise<void>;
  /** Whether what it answers may lead away from the page, which is then loaded for each example. */
  readonly leadsAway?: boolean;
}

/**
 * A test that a page shows every example of an operation that it uses, good ones and errors, without an exception, and that nobody
 * is kept out of the good ones.
 */
export function testExamples({ operationId, ...options }: ExamplesOptions): void {
  const { mock, path, given = [], perform, leadsAway = false } = options;
  const work = async (page: Page) => {
    const isAsked = perform !== undefined;
    const judged = new Set<number>();
    for (const example of examplesOf(operationId)) {
      mock.prefer(...given, example);
      if (leadsAway) await page.goto("about:blank");
      await begin(page, `${mock.url}/account${path}`);
      await settle(page);
      await perform?.(page);
      await expect
        .poll(() => mock.statusesOf(operationId), { message: example.name, interval: 5 })
        .toContain(example.status);
      await settle(page);
      // What is good is judged once where a form has asked for it: its examples differ in values alone.
      if (example.status < 300 && !(isAsked && judged.has(example.status))) await expectAccessible(page);
      judged.add(example.status);
    }
  };
  browserTest(`every example of ${operationId} is shown`, work, { mayBeUsed: !leadsAway });
}

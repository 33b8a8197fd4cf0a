import { expect } from "vitest";
import { browserTest, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/ledger`;

testExamples({ mock, path, operationId: "listLedger" });

browserTest("amounts are shown to their last digit, and orders are linked", async (page) => {
  mock.prefer();
  await page.goto(`${mock.url}/account${path}`);
  await settle(page);
  const [shown] = await page.getByRole("table").allTextContents();
  expect(shown).toContain("−$0.00000127");
  const [link] = await page.getByRole("table").getByRole("link").all();
  expect(await link?.getAttribute("href")).toMatch(new RegExp(`^/account/${EXAMPLE_ACCOUNT}/orders/ord_`));
});

browserTest("the ledger is narrowed to days of the account's zone, and so is its file", async (page) => {
  mock.prefer({ operationId: "listLedger", status: 200, name: "none" });
  await page.goto(`${mock.url}/account${path}?cursor=any&limit=5`);
  await page.getByLabel("From", { exact: true }).fill("2026-11-01");
  await page.getByLabel("To", { exact: true }).fill("2026-11-30");
  await page.getByRole("button", { name: "Show" }).press("Enter");
  await page.getByText("Nothing changed the balance in these days.").waitFor();
  const period = { from: "2026-10-31T23:00:00.000Z", to: "2026-11-30T23:00:00.000Z" };
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ ...period, limit: "5" });
  const file = page.getByRole("link", { name: "Entries of these days as CSV" });
  const href = new URL((await file.getAttribute("href")) ?? "", page.url());
  expect(href.pathname).toBe(`/account/v1/accounts/${EXAMPLE_ACCOUNT}/exports/ledger`);
  expect(Object.fromEntries(href.searchParams)).toEqual(period);
});

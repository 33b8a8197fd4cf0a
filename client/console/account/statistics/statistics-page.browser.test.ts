import { expect } from "vitest";
import { browserTest, expectAccessible, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/statistics`;

testExamples({ mock, path, operationId: "getSpendStatistics" });
testExamples({ mock, path, operationId: "getOrderStatistics" });

browserTest("charts are asked for once each, and have their figures in tables", async (page) => {
  mock.prefer();
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const [, name] = /\/statistics\/(\w+)$/.exec(pathname) ?? [];
    if (name && pathname.includes("/v1/")) asked.push(`${name} ${searchParams.get("groupBy") ?? ""}`.trim());
  });
  await page.goto(`${mock.url}/account${path}?granularity=P1M&timeZone=Asia/Tokyo`);
  await settle(page);
  expect(asked.toSorted()).toEqual(["calls key", "calls model", "orders product", "spend"]);
  expect(await page.getByRole("img").count()).toBe(4);
  expect(await page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
  for (const summary of await page.getByText("All figures of it as a table").all())
    await summary.press("Enter");
  const table = page.getByRole("table", {
    name: "What was spent: all figures, in the time of Europe/Berlin",
  });
  expect(await table.getByRole("row").allTextContents()).toEqual([
    "DayOrdersCallsRefundsTogether",
    "19 Nov 2026$20.00$0.00000127$0.00$20.00000127",
    "20 Nov 2026$0.00$0.00−$20.00−$20.00",
  ]);
  await expectAccessible(page);
});

import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { browserTest, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/usage`;

testExamples({ mock, path, operationId: "getCallStatistics" });

browserTest(
  "usage is asked for by days of the account's zone, told apart by key, and saved as a file",
  async (page) => {
    mock.prefer({ operationId: "getCallStatistics", status: 200, name: "by_key" });
    await page.goto(`${mock.url}/account${path}`);
    await settle(page);
    await page.getByLabel("Told apart").selectOption("key");
    await page.getByLabel("From", { exact: true }).fill("2026-11-01");
    await page.getByLabel("To", { exact: true }).fill("2026-11-19");
    const asked = page.waitForRequest((request) => request.url().includes("groupBy=key"));
    await page.getByLabel("To", { exact: true }).press("Enter");
    const query = Object.fromEntries(new URL((await asked).url()).searchParams);
    const period = { from: "2026-10-31T23:00:00.000Z", to: "2026-11-19T23:00:00.000Z" };
    expect(query).toEqual({ ...period, timeZone: "Europe/Berlin", groupBy: "key" });
    await settle(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ ...period, groupBy: "key" });
    const row = page.getByRole("row", { name: /Order desk/ });
    expect(await row.textContent()).toContain("1 broken off2 refused");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "These calls as CSV" }).press("Enter"),
    ]);
    expect(Object.fromEntries(new URL(file.url()).searchParams)).toEqual(period);
    expect(await readFile(await file.path(), "utf8")).toContain("call_id,created_at,");
  },
);

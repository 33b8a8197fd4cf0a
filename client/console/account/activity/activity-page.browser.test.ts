import { expect } from "vitest";
import { browserTest, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/activity`;

testExamples({ mock, path, operationId: "listActivity" });

browserTest("what somebody did is found by what and who, and so is its file", async (page) => {
  mock.prefer();
  await page.goto(`${mock.url}/account${path}?userId=usr_gone`);
  await settle(page);
  expect(await page.getByLabel("Who").inputValue()).toBe("usr_gone");
  const targets = page.getByRole("table").getByRole("link");
  expect(await targets.allTextContents()).toEqual([expect.stringMatching(/^ord_/), "Order desk"]);
  await page.getByLabel("What").selectOption("Made a key");
  await page.getByLabel("Who").selectOption({ index: 1 });
  const asked = page.waitForRequest((request) => request.url().includes("action=key_created"));
  await page.getByRole("button", { name: "Show" }).press("Enter");
  const query = new URL((await asked).url()).searchParams;
  expect(query.get("userId")).toMatch(/^usr_0/);
  await settle(page);
  const href = await page.getByRole("link", { name: "These as CSV" }).getAttribute("href");
  const { searchParams } = new URL(href ?? "", page.url());
  expect(searchParams.get("action")).toBe("key_created");
  expect(searchParams.get("userId")).toBe(query.get("userId"));
});

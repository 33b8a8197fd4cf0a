import { expect } from "vitest";
import { browserTest, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/settings`;

testExamples({ mock, path, operationId: "getSettings" });
testExamples({
  mock,
  path,
  operationId: "changeSettings",
  perform: (page) => page.getByRole("button", { name: "Save" }).click(),
});

browserTest("the zone and the low balance are set as they were chosen", async (page) => {
  mock.prefer({ operationId: "getSettings", status: 200, name: "unset" });
  await page.goto(`${mock.url}/account${path}`);
  await settle(page);
  expect(await page.getByLabel("Time zone").inputValue()).toBe("UTC");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByLabel("Say when less is available than").fill("$1250.50");
  const asked = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  expect((await asked).postDataJSON()).toEqual({ timeZone: "Asia/Tokyo", lowBalance: "1250.50" });
  await page.getByText("Saved.").waitFor();
});

import { expect } from "vitest";
import { browserTest, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/orders`;
const ORDER = "ord_01938c8e6f2b7c3e9a4d5f6071829309";

testExamples({ mock, path, operationId: "listOrders" });
testExamples({ mock, path: `${path}/${ORDER}`, operationId: "getOrder" });
testExamples({
  mock,
  path: `${path}/${ORDER}`,
  operationId: "revealOrderCodes",
  perform: async (page) => {
    await page.getByRole("button", { name: "Show the codes" }).click();
  },
});

browserTest(
  "an order is found by the program's own id, which stands in the URL, and leads to its page",
  async (page) => {
    mock.prefer();
    await page.goto(`${mock.url}/account${path}`);
    const asked = page.waitForRequest((request) => request.url().includes("externalOrderId"));
    const search = page.getByRole("searchbox", { name: "Your program's id of an order" });
    await search.fill("my order/1 & more");
    await search.press("Enter");
    expect(new URL((await asked).url()).searchParams.get("externalOrderId")).toBe("my order/1 & more");
    await settle(page);
    expect(new URL(page.url()).searchParams.get("externalOrderId")).toBe("my order/1 & more");
    await page.getByRole("rowheader").first().getByRole("link").click();
    await page.getByRole("heading", { name: "Order", exact: true }).waitFor();
    expect(page.url()).toContain(`${path}/ord_`);
  },
);

browserTest("a search that finds nothing says what it looked for", async (page) => {
  mock.prefer({ operationId: "listOrders", status: 200, name: "none" });
  await page.goto(`${mock.url}/account${path}?externalOrderId=Nowhere`);
  await page.getByText("No order of this account has the id “Nowhere”.").waitFor();
});

browserTest("the codes of an order are shown when they are asked for, and hidden again", async (page) => {
  mock.prefer();
  await page.goto(`${mock.url}/account${path}/${ORDER}`);
  await settle(page);
  expect(await page.content()).not.toContain("AI-7F3K-9QWX-22LM");
  await page.getByRole("button", { name: "Show the codes" }).press("Enter");
  await page.getByText("AI-8G4L-0RXY-33MN").waitFor();
  await page.getByText("AI-7F3K-9QWX-22LM").waitFor();
  await page.getByRole("button", { name: "Hide them" }).press("Enter");
  await page.getByText("AI-7F3K-9QWX-22LM").waitFor({ state: "detached" });
});

browserTest("an order without codes says why none can be shown", async (page) => {
  mock.prefer({ operationId: "getOrder", status: 200, name: "refunded" });
  await page.goto(`${mock.url}/account${path}/${ORDER}`);
  await page.getByText("The order was refunded.").waitFor();
  const button = page.getByRole("button", { name: "Show the codes" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
});

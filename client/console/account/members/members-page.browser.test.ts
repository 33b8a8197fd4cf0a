import { expect } from "vitest";
import { browserTest, expectAccessible, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/members`;

testExamples({ mock, path, operationId: "listMembers" });
testExamples({
  mock,
  path,
  operationId: "inviteMember",
  perform: async (page) => {
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("E-mail").fill("grace@buyer.example");
    await page.getByRole("button", { name: "Make the link" }).click();
  },
});
testExamples({
  mock,
  path,
  operationId: "removeMember",
  perform: async (page) => {
    await page
      .getByRole("button", { name: /^Remove / })
      .first()
      .click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
  },
});

browserTest("a link is shown once, for the person and the role that were asked for", async (page) => {
  mock.prefer();
  await page.goto(`${mock.url}/account${path}`);
  await settle(page);
  await page.getByRole("button", { name: "Invite somebody" }).press("Enter");
  await page.getByLabel("E-mail").fill("grace@buyer.example");
  await page.getByLabel("Role", { exact: true }).selectOption("billing");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Make the link" }).press("Enter");
  expect((await asked).postDataJSON()).toEqual({ email: "grace@buyer.example", role: "billing" });
  await page.getByText("#invitation=").waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByText("#invitation=").waitFor({ state: "detached" });
});

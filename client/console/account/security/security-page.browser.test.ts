import type { Page } from "playwright-core";
import { expect } from "vitest";
import { browserTest, press, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";
import { giveAuthenticator } from "../../testing/virtual-authenticator.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/security`;
const withoutFactor = [{ operationId: "getSecurity", status: 200, name: "without_factor" }];

testExamples({ mock, path, operationId: "getSecurity" });
testExamples({ mock, path, operationId: "listSessions" });
testExamples({
  mock,
  path,
  operationId: "changePassword",
  perform: async (page) => {
    await page.getByLabel("Present password").fill("correct horse battery");
    await page.getByLabel("New password").fill("correct horse battery");
    await press(page, "Change the password");
  },
});
testExamples({
  mock,
  path,
  operationId: "beginTotp",
  given: withoutFactor,
  perform: (page) => press(page, "Set up an app"),
});
testExamples({
  mock,
  path,
  operationId: "confirmTotp",
  given: withoutFactor,
  perform: async (page) => {
    await press(page, "Set up an app");
    await page.getByLabel("Code", { exact: true }).fill("492039");
    await press(page, "Use this app");
  },
});
testExamples({
  mock,
  path,
  operationId: "renewRecoveryCodes",
  perform: (page) => press(page, "Make new recovery codes"),
});
testExamples({
  mock,
  path,
  operationId: "removeTotp",
  perform: async (page) => {
    await press(page, "Remove the app");
    await press(page, "Remove it");
  },
});
testExamples({ mock, path, operationId: "listPasskeys" });
testExamples({ mock, path, operationId: "beginPasskey", perform: addPasskey });
testExamples({ mock, path, operationId: "addPasskey", perform: addPasskey });
testExamples({
  mock,
  path,
  operationId: "renamePasskey",
  perform: async (page) => {
    await press(page, "Rename Phone");
    await page.getByLabel("Name of the passkey").fill("Old laptop");
    await press(page, "Save the name");
  },
});
testExamples({
  mock,
  path,
  operationId: "removePasskey",
  perform: async (page) => {
    await press(page, "Remove Phone");
    await press(page, "Remove the passkey");
  },
});
testExamples({
  mock,
  path,
  operationId: "endSession",
  perform: (page) => press(page, "End"),
});
testExamples({
  mock,
  path,
  operationId: "endOtherSessions",
  perform: (page) => press(page, "End all others"),
});

browserTest(
  "at an address, and where the browser gives none, the page says why there is no passkey",
  async (page) => {
    mock.prefer();
    const { port } = new URL(mock.url);
    await page.goto(`http://127.0.0.1:${port}/account${path}`);
    await page.getByText(`Open the account center at http://localhost:${port}/account/.`).waitFor();
    expect(await page.getByRole("button", { name: "Add a passkey" }).getAttribute("aria-disabled")).toBe(
      "true",
    );

    await page.goto(`${mock.url}/account${path}`);
    const { remove } = await giveAuthenticator(page, ["bXktc29mdC1jcmVkZW50aWFsLWlkLTAx"]);
    mock.prefer({ operationId: "beginPasskey", status: 200, name: "another" });
    await press(page, "Add a passkey");
    await press(page, "Make the passkey");
    await page.getByText("has a passkey of yours already").waitFor();
    await remove();
  },
);

/** Has the browser make one, which it does each time. */
async function addPasskey(page: Page): Promise<void> {
  const { remove } = await giveAuthenticator(page);
  await press(page, "Add a passkey");
  await press(page, "Make the passkey");
  // Until then the browser may still be asking for it.
  await expect
    .poll(() => [
      ...mock.statusesOf("addPasskey"),
      ...mock.statusesOf("beginPasskey").filter((status) => status >= 400),
    ])
    .not.toEqual([]);
  await settle(page);
  await remove();
}

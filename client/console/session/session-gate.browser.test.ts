import type { Page } from "playwright-core";
import { expect } from "vitest";
import { begin, browserTest, press, settle } from "../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../testing/examples.ts";
import { mockedConsole } from "../testing/mocked-console.ts";
import { giveAuthenticator } from "../testing/virtual-authenticator.ts";

const mock = mockedConsole();
const nobody = { operationId: "getSession", status: 401, name: "unauthorized" };
const waiting = { operationId: "getSession", status: 200, name: "session_waiting" };
const stepUpRequired = { operationId: "createKey", status: 403, name: "step_up_required" };

testExamples({ mock, path: "/", operationId: "getSession" });
testExamples({
  mock,
  path: "/",
  operationId: "signIn",
  given: [nobody],
  perform: async (page) => {
    await page.getByLabel("E-mail").fill("ada@buyer.example");
    await page.getByLabel("Password").fill("correct horse battery");
    await press(page, "Sign in");
  },
});
testExamples({
  mock,
  path: "/",
  operationId: "giveFactor",
  given: [waiting],
  perform: async (page) => {
    await page.getByLabel("Code", { exact: true }).fill("492039");
    await press(page, "Go on");
  },
});
for (const operationId of ["beginPasskeySignIn", "signInByPasskey"])
  testExamples({
    mock,
    path: "/",
    operationId,
    given: [nobody],
    perform: (page) => pressWithPasskey(page, "Sign in with a passkey"),
  });
testExamples({ mock, path: "/#invitation=any", operationId: "showInvitation" });
testExamples({
  mock,
  path: "/#invitation=any",
  operationId: "acceptInvitation",
  perform: async (page) => {
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Password").fill("correct horse battery");
    await press(page, "Accept");
  },
});
testExamples({
  mock,
  path: `/${EXAMPLE_ACCOUNT}/keys`,
  operationId: "stepUp",
  given: [stepUpRequired],
  perform: async (page) => {
    await press(page, "Make a key");
    await press(page, "Make it");
    await page.getByLabel("Code", { exact: true }).fill("492039");
    await press(page, "Go on");
  },
});
for (const operationId of ["beginPasskeyStepUp", "stepUpByPasskey"])
  testExamples({
    mock,
    path: `/${EXAMPLE_ACCOUNT}/keys`,
    operationId,
    given: [stepUpRequired],
    perform: async (page) => {
      await press(page, "Make a key");
      await press(page, "Make it");
      await pressWithPasskey(page, "Use a passkey");
    },
  });
testExamples({
  mock,
  path: `/${EXAMPLE_ACCOUNT}`,
  operationId: "signOut",
  leadsAway: true,
  perform: async (page) => {
    await page.getByText("Ada Lovelace").click();
    await press(page, "Sign out");
  },
});

browserTest("a page that the browser has kept shows nothing of who has signed out since", async (page) => {
  mock.prefer();
  await page.goto(`${mock.url}/account/${EXAMPLE_ACCOUNT}/members`);
  await settle(page);
  expect(await page.content()).toContain("Ada Lovelace");
  mock.prefer(nobody);
  await begin(page, page.url());
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.content()).not.toContain("Ada Lovelace");
});

browserTest(
  "nobody is asked over a page that is shown again for what it lacked when it was left",
  async (page) => {
    mock.prefer(stepUpRequired);
    await page.goto(`${mock.url}/account/${EXAMPLE_ACCOUNT}/keys`);
    const isLeft = Promise.withResolvers<void>();
    await page.route("**/account/v1/accounts/*/keys", async (route) => {
      if (route.request().method() === "POST") await isLeft.promise;
      await route.continue();
    });
    const makeKey = async () => {
      await press(page, "Make a key");
      await press(page, "Make it");
    };
    const asked = page.waitForRequest((request) => request.method() === "POST");
    await makeKey();
    const answered = (await asked).response();
    await begin(page, page.url());
    isLeft.resolve();
    expect((await answered)?.status()).toBe(403);
    await settle(page);
    await makeKey();
    await press(page, "Not now");
    expect(mock.statusesOf("createKey")).toEqual([403, 403]);
  },
);

browserTest(
  "who declines is told so, and who waits may use a passkey in the place of a code",
  async (page) => {
    mock.prefer(nobody);
    await page.goto(`${mock.url}/account/`);
    const { remove } = await giveAuthenticator(page);
    await press(page, "Sign in with a passkey");
    await page.getByText("Your browser gave no passkey").waitFor();
    await remove();
    mock.prefer(waiting);
    await begin(page, `${mock.url}/account/`);
    await page.getByRole("heading", { name: "Your second factor" }).waitFor();
    await pressWithPasskey(page, "Use a passkey");
    await page.getByRole("heading", { name: "Your second factor" }).waitFor({ state: "detached" });
  },
);

/** Presses a button that has the browser's passkey of the examples sign. */
async function pressWithPasskey(page: Page, name: string): Promise<void> {
  const { remove } = await giveAuthenticator(page, ["bXktc29mdC1jcmVkZW50aWFsLWlkLTAx"]);
  await press(page, name);
  // Until then the browser may still be asking for it.
  await expect
    .poll(() => [
      ...["signInByPasskey", "stepUpByPasskey"].flatMap(mock.statusesOf),
      ...["beginPasskeySignIn", "beginPasskeyStepUp"]
        .flatMap(mock.statusesOf)
        .filter((status) => status >= 400),
    ])
    .not.toEqual([]);
  await settle(page);
  await remove();
}

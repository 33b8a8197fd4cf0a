import { expect } from "vitest";
import { browserTest, settle } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const path = `/${EXAMPLE_ACCOUNT}/statements`;
const url = () => `${mock.url}/account${path}`;

testExamples({ mock, path: `${path}/2026-11`, operationId: "getStatement" });

browserTest("the present month is put into the URL, with the zone of the account", async (page) => {
  mock.prefer();
  await page.clock.install({ time: new Date("2026-10-31T23:30:00Z") });
  await page.goto(url());
  await page.waitForURL(`${url()}/2026-11?timeZone=Europe%2FBerlin`);
});

browserTest("leads to the months beside it, but into no future", async (page) => {
  mock.prefer();
  await page.clock.install({ time: new Date("2026-11-15T12:00:00Z") });
  await page.goto(`${url()}/2026-11?timeZone=Europe/Berlin`);
  await settle(page);
  const others = page.getByRole("navigation", { name: "Other months" });
  expect(await others.getByRole("link").allTextContents()).toEqual(["October 2026"]);
  const asked = page.waitForRequest((request) => request.url().includes("/statements/2026-10"));
  await others.getByRole("link").click();
  expect(new URL((await asked).url()).searchParams.get("timeZone")).toBe("Europe/Berlin");
  await page.getByRole("link", { name: "November 2026" }).waitFor();
});

browserTest("says that opening and entries come to the closing balance, also on paper", async (page) => {
  mock.prefer();
  await page.goto(`${url()}/2026-11`);
  await page.getByText("come to the closing balance").waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation").filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
  expect(await page.getByText("$412.49999873").filter({ visible: true }).count()).toBe(1);
});

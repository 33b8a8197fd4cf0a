import { afterAll, beforeAll, expect, test } from "vitest";
import { createSoftwareAuthenticator } from "../../testing/software-authenticator.ts";
import { openAs, openTestBrowser } from "../../testing/test-browser.ts";
import { TEST_ORIGIN } from "../../testing/test-people.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

const PASSKEYS = "/security/passkeys";

test("a passkey is added, named anew, signs in, steps up, and is taken away", async () => {
  const browser = await openAs(shop, "owner", await shop.addAccount());
  const authenticator = createSoftwareAuthenticator();
  const challengeAt = async (path: string, asking: Pick<typeof browser, "ask"> = browser) => {
    const { status, body } = await asking.ask(path, { method: "POST" });
    expect(status).toBe(200);
    return { origin: TEST_ORIGIN, challenge: body.challenge as string };
  };

  const made = authenticator.make(await challengeAt(`${PASSKEYS}/challenge`));
  const added = await browser.ask(PASSKEYS, { body: { name: "Laptop", ...made } });
  expect(added).toMatchObject({ status: 201, body: { passkey: { name: "Laptop", lastUsedAt: null } } });
  expect(added.body.recoveryCodes).toHaveLength(10);
  const path = `${PASSKEYS}/${added.body.passkey.passkeyId}`;
  const renamed = await browser.ask(path, { method: "PATCH", body: { name: "Old laptop" } });
  expect(renamed).toMatchObject({ status: 200, body: { name: "Old laptop" } });

  const other = openTestBrowser(new URL(shop.baseUrl).origin);
  const proof = authenticator.sign(await challengeAt("/session/passkey/challenge", other));
  expect(await other.ask("/session/passkey", { body: proof })).toMatchObject({ status: 200 });
  expect(other.cookie()).toContain("account-session=");
  // Its challenge is used up.
  expect(await other.ask("/session/passkey", { body: proof })).toMatchObject({ status: 401 });

  const again = authenticator.sign(await challengeAt("/session/step-up/passkey/challenge"));
  expect(await browser.ask("/session/step-up/passkey", { body: again })).toMatchObject({ status: 200 });
  const [known] = (await browser.ask(PASSKEYS)).body.passkeys;
  expect(known).toMatchObject({ name: "Old laptop", lastUsedAt: expect.any(String) });

  expect(await browser.ask(path, { method: "DELETE" })).toMatchObject({ status: 204 });
  expect((await browser.ask(PASSKEYS)).body.passkeys).toEqual([]);
});

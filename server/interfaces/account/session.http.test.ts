import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import { openSignedIn, openTestBrowser } from "../../testing/test-browser.ts";
import { addPerson, codeAt, TOTP_STEP_MS, tokenOf } from "../../testing/test-people.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

const open = () => openTestBrowser(new URL(shop.baseUrl).origin);

test("an invited person accepts, signs in, is known by the cookie, and signs out", async () => {
  const { link } = await shop.people.invitations.invite("ada@buyer.example", shop.accountId, "owner");
  const [browser, token, password] = [open(), tokenOf(link), "correct horse battery"];
  expect(await browser.ask("/invitation", { body: { token } })).toMatchObject({
    status: 200,
    body: { email: "ada@buyer.example", accountName: "Test account", role: "owner", hasPassword: false },
  });
  const acceptance = { body: { token, password, name: "Ada" } };
  expect(await browser.ask("/invitation/acceptance", acceptance)).toMatchObject({
    status: 200,
    body: { email: "ada@buyer.example" },
  });
  expect(await browser.ask("/invitation/acceptance", acceptance)).toMatchObject({
    status: 410,
    body: { error: "invitation_gone" },
  });
  const begun = await browser.ask("/session", { body: { email: "ADA@buyer.example", password } });
  expect(begun).toMatchObject({ status: 200, body: { name: "Ada", waitsForSecondFactor: false } });
  expect(begun.headers.get("cache-control")).toBe("no-store");
  const secret = /^account-session=([\w-]{43}); Path=\/; HttpOnly; SameSite=Strict; Max-Age=1209600$/.exec(
    browser.cookie(),
  )?.[1];
  expect(secret).toBeDefined();
  expect((await browser.ask("/session")).body).toEqual(begun.body);
  expect(await browser.ask("/session", { method: "DELETE" })).toMatchObject({ status: 204 });
  expect(browser.cookie()).toContain("account-session=; ");
  const cookie = `account-session=${secret}`;
  expect(await browser.ask("/session", { headers: { Cookie: cookie } })).toMatchObject({
    status: 401,
    body: { error: "unauthorized" },
  });
  for (const text of [token, password, secret ?? "", "correct horse"]) expect(shop.log()).not.toContain(text);
});

test("with a second factor nothing but that is allowed until it is given, and the token changes", async () => {
  const person = await addPerson(shop, shop.accountId);
  const browser = await openSignedIn(shop, person);
  const { secret } = (await browser.ask("/security/totp", { method: "POST" })).body;
  const code = () => codeAt(secret, time.clock());
  const wrong = code() === "123456" ? "654321" : "123456";
  expect(await browser.ask("/security/totp", { method: "PUT", body: { code: wrong } })).toMatchObject({
    status: 403,
    body: { error: "wrong_code" },
  });
  const confirmed = await browser.ask("/security/totp", { method: "PUT", body: { code: code() } });
  expect(confirmed.body.codes).toHaveLength(10);
  expect(await browser.ask("/security/totp", { method: "POST" })).toMatchObject({
    status: 409,
    body: { error: "second_factor_conflict" },
  });
  expect((await browser.ask("/security")).body).toEqual({
    hasTotp: true,
    hasPasskeys: false,
    recoveryCodesLeft: 10,
  });

  const other = await openSignedIn(shop, person);
  const waiting = other.cookie();
  expect((await other.ask("/session")).body).toMatchObject({
    waitsForSecondFactor: true,
    steppedUpUntil: null,
  });
  for (const path of ["/security", `/accounts/${shop.accountId}`, `/accounts/${shop.accountId}/keys`])
    expect(await other.ask(path)).toMatchObject({ status: 403, body: { error: "second_factor_required" } });
  const give = (proof: object) => other.ask("/session/factor", { body: proof });
  expect(await give({ kind: "password", value: person.password })).toMatchObject({ status: 403 });
  expect(await give({ kind: "totp", value: code() })).toMatchObject({ body: { error: "wrong_code" } });
  time.advance(TOTP_STEP_MS);
  expect(await give({ kind: "totp", value: code() })).toMatchObject({
    status: 200,
    body: { waitsForSecondFactor: false },
  });
  expect(other.cookie()).not.toBe(waiting);
  expect((await other.ask("/security")).status).toBe(200);
  const [kept = ""] = waiting.split(";");
  expect(await other.ask("/session", { headers: { Cookie: kept } })).toMatchObject({ status: 401 });
});

test("an address with letters that no address has is nobody's", async () => {
  const { email, password } = await addPerson(shop, shop.accountId);
  for (const other of ["ädä@buyer.example", email.replace("a", "а"), `${email}😀`])
    expect(await open().ask("/session", { body: { email: other, password } }), other).toMatchObject({
      status: 401,
      body: { error: "sign_in_refused" },
    });
});

test("every form fault is told at its field", async () => {
  const browser = await openSignedIn(shop, await addPerson(shop, shop.accountId));
  const fieldsOf = async (path: string, body: object, method = "POST") => {
    const answer = await browser.ask(path, { body, method });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    return answer.body.details.fields;
  };
  expect(Object.keys(await fieldsOf("/session", { email: "a", password: "x" }))).toEqual(["email"]);
  const change = { currentPassword: "not theirs", newPassword: "correct horse battery" };
  expect(await fieldsOf("/security/password", change, "PUT")).toEqual({
    currentPassword: "That is not your present password.",
  });
  const short = { currentPassword: "not theirs", newPassword: "short" };
  expect(Object.keys(await fieldsOf("/security/password", short, "PUT"))).toEqual(["newPassword"]);
});

test.each([
  ["a page of another site", { "Sec-Fetch-Site": "cross-site" }],
  ["a page of a sister site", { "Sec-Fetch-Site": "same-site" }],
  ["an address that was typed", { "Sec-Fetch-Site": "none" }],
  [
    "another site's origin, without Sec-Fetch-Site",
    { "Sec-Fetch-Site": undefined, Origin: "https://evil.example" },
  ],
  ["nobody says where", { "Sec-Fetch-Site": undefined }],
])("what changes something is refused from %s", async (_, headers) => {
  const person = await addPerson(shop, shop.accountId);
  const browser = await openSignedIn(shop, person);
  const send = (path: string, options: object) => browser.ask(path, { ...options, headers });
  for (const [path, options] of [
    ["/session", { body: { email: person.email, password: person.password } }],
    ["/session", { method: "DELETE" }],
    ["/security/sessions", { method: "DELETE" }],
    [`/accounts/${shop.accountId}/keys`, { body: { kind: "general" } }],
  ] as const)
    expect(await send(path, options)).toMatchObject({ status: 403, body: { error: "cross_site" } });
  expect(await send("/session", {})).toMatchObject({ status: 200 });
});

test("a page's own origin is enough for browsers that do not say Sec-Fetch-Site", async () => {
  const { email, password } = await addPerson(shop, shop.accountId);
  const headers = { Origin: new URL(shop.baseUrl).origin, "Sec-Fetch-Site": undefined };
  expect(await open().ask("/session", { body: { email, password }, headers })).toMatchObject({ status: 200 });
});

test("sessions are listed and ended, those of others are not found", async () => {
  const person = await addPerson(shop, shop.accountId);
  const [one, two] = [await openSignedIn(shop, person), await openSignedIn(shop, person)];
  const stranger = await openSignedIn(shop, await addPerson(shop, shop.accountId));
  const { sessions } = (await two.ask("/security/sessions")).body;
  expect(sessions.map(({ isThisOne }: { isThisOne: boolean }) => isThisOne)).toEqual([true, false]);
  const path = `/security/sessions/${sessions[1].sessionId}`;
  for (const [browser, asked] of [
    [stranger, path],
    [two, "/security/sessions/none"],
    [two, `/security/sessions/ses_${randomUUID().replaceAll("-", "")}`],
  ] as const)
    expect(await browser.ask(asked, { method: "DELETE" })).toMatchObject({ status: 404 });
  expect(await two.ask(path, { method: "DELETE" })).toMatchObject({ status: 204 });
  expect(await one.ask("/session")).toMatchObject({ status: 401 });
  await shop.people.remove(person.email, shop.accountId);
  expect(await two.ask("/session")).toMatchObject({ status: 401 });
});

import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { composeApps } from "../../compose-http.ts";
import type { App } from "../../http/app.ts";
import { listen } from "../../http/listen.ts";
import { createMetrics } from "../../http/metrics.ts";
import { createRateLimit } from "../../http/rate-limit.ts";
import type { OperatorRole } from "../../people/person.ts";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import { openTestBrowser, type TestBrowser } from "../../testing/test-browser.ts";
import { addOperator, codeAt, type TestPerson, TOTP_STEP_MS, tokenOf } from "../../testing/test-people.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const BASE = "/operator/v1";

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

const open = () => openTestBrowser(new URL(shop.baseUrl).origin, BASE);

async function openSignedIn({ email, password }: TestPerson): Promise<TestBrowser> {
  const browser = open();
  expect(await browser.ask("/session", { body: { email, password } })).toMatchObject({ status: 200 });
  return browser;
}

/** Sets up an app for codes. @returns its secret */
async function setUpFactor(browser: TestBrowser): Promise<string> {
  const { secret } = (await browser.ask("/security/totp", { method: "POST" })).body;
  const code = codeAt(secret, time.clock());
  expect(await browser.ask("/security/totp", { method: "PUT", body: { code } })).toMatchObject({
    status: 200,
  });
  return secret;
}

test("an invited operator accepts, sets up a second factor, and only then may use the role", async () => {
  const email = `${randomUUID()}@shop.example`;
  const { link } = await shop.people.operators.invitations.inviteOperator(email, "admin");
  const [browser, token, password] = [open(), tokenOf(link), "correct horse battery"];
  expect((await browser.ask("/invitation", { body: { token } })).body).toMatchObject({
    email,
    role: "admin",
  });
  const acceptance = { body: { token, password, name: "Grace" } };
  expect(await browser.ask("/invitation/acceptance", acceptance)).toMatchObject({
    status: 200,
    body: { email },
  });
  expect(await browser.ask("/invitation/acceptance", acceptance)).toMatchObject({ status: 410 });

  const begun = await browser.ask("/session", { body: { email, password } });
  expect(begun).toMatchObject({ status: 200, body: { role: "admin", mayAct: false, secondFactors: [] } });
  expect(begun.headers.get("cache-control")).toBe("no-store");
  expect(browser.cookie()).toMatch(
    /^operator-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  const missing = { status: 403, body: { error: "second_factor_missing" } };
  expect(await browser.ask("/operators")).toMatchObject(missing);
  expect(await browser.ask("/invitations", { body: { email, role: "viewer" } })).toMatchObject(missing);
  expect(await browser.ask("/security")).toMatchObject({ status: 200, body: { hasTotp: false } });

  const secret = await setUpFactor(browser);
  expect((await browser.ask("/session")).body).toMatchObject({ mayAct: true, secondFactors: ["totp"] });
  expect((await browser.ask("/operators")).body.operators).toContainEqual(
    expect.objectContaining({ email, role: "admin", hasSecondFactor: true }),
  );

  const other = open();
  const waiting = await other.ask("/session", { body: { email, password } });
  expect(waiting.body).toMatchObject({ waitsForSecondFactor: true, mayAct: false });
  for (const path of ["/operators", "/security", "/security/sessions"])
    expect(await other.ask(path)).toMatchObject({ status: 403, body: { error: "second_factor_required" } });
  time.advance(TOTP_STEP_MS);
  const value = codeAt(secret, time.clock());
  expect(await other.ask("/session/factor", { body: { kind: "totp", value } })).toMatchObject({
    status: 200,
    body: { waitsForSecondFactor: false, mayAct: true },
  });
  expect(await other.ask("/operators")).toMatchObject({ status: 200 });
  for (const text of [token, password, secret]) expect(shop.log()).not.toContain(text);
});

test("what is dangerous wants a recent factor, and a role", async () => {
  const statusOf = async (role: OperatorRole) => {
    const browser = await openSignedIn(await addOperator(shop, role));
    await setUpFactor(browser);
    const body = { email: `${randomUUID()}@shop.example`, role: "viewer" };
    return { browser, body, asked: await browser.ask("/invitations", { body }) };
  };
  for (const role of ["viewer", "support", "finance"] as const)
    expect((await statusOf(role)).asked).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope", details: { requiredScope: "admin" } },
    });
  const { browser, body, asked } = await statusOf("admin");
  expect(asked).toMatchObject({
    status: 201,
    body: { ...body, link: expect.stringContaining("/operator/#") },
  });
  time.advance(10 * 60_000);
  expect(await browser.ask("/invitations", { body })).toMatchObject({
    status: 403,
    body: { error: "step_up_required" },
  });
});

test("an operator whose role is taken away is out with the next request", async () => {
  const person = await addOperator(shop, "support");
  const browser = await openSignedIn(person);
  await setUpFactor(browser);
  expect(await browser.ask("/operators")).toMatchObject({ status: 200 });
  await shop.people.operators.remove(person.userId);
  for (const path of ["/operators", "/session"])
    expect(await browser.ask(path)).toMatchObject({ status: 401, body: { error: "unauthorized" } });
});

test("an admin takes a colleague's role away, who is out with the next request, but not the last admin's", async () => {
  const own = await startTestShop(time.clock);
  onTestFinished(() => own.stop());
  const { origin } = new URL(own.baseUrl);
  const enter = async ({ email, password }: TestPerson) => {
    const browser = openTestBrowser(origin, BASE);
    await browser.ask("/session", { body: { email, password } });
    await setUpFactor(browser);
    return browser;
  };
  const [admin, colleague] = [await addOperator(own, "admin"), await addOperator(own, "finance")];
  const [asAdmin, asColleague] = [await enter(admin), await enter(colleague)];
  const remove = (browser: TestBrowser, userId: string) =>
    browser.ask(`/operators/${userId}`, { method: "DELETE" });
  expect(await remove(asColleague, admin.userId)).toMatchObject({
    status: 403,
    body: { error: "insufficient_scope" },
  });
  expect(await remove(asAdmin, admin.userId)).toMatchObject({ status: 409, body: { error: "last_admin" } });
  expect(await remove(asAdmin, colleague.userId)).toMatchObject({ status: 204 });
  expect(await asColleague.ask("/session")).toMatchObject({ status: 401 });
  for (const userId of [colleague.userId, "usr_none"])
    expect(await remove(asAdmin, userId)).toMatchObject({ status: 404, body: { error: "not_found" } });
  expect((await own.actions.page({ limit: 1 })).actions).toMatchObject([
    { actor: { id: admin.userId }, operation: "removeOperator", before: '{"role":"finance"}' },
  ]);
  time.advance(10 * 60_000);
  expect(await remove(asAdmin, admin.userId)).toMatchObject({
    status: 403,
    body: { error: "step_up_required" },
  });
});

test("pages of other origins change nothing, not even those of buyers", async () => {
  const { email, password } = await addOperator(shop, "viewer");
  for (const headers of [
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": undefined, Origin: "http://localhost:8080" },
    { "Sec-Fetch-Site": undefined },
  ])
    expect(await open().ask("/session", { body: { email, password }, headers })).toMatchObject({
      status: 403,
      body: { error: "cross_site" },
    });
});

test("own sessions are listed and ended, and a password is changed", async () => {
  const person = await addOperator(shop, "viewer");
  const [browser, other, third] = [
    await openSignedIn(person),
    await openSignedIn(person),
    await openSignedIn(person),
  ];
  const { sessions } = (await browser.ask("/security/sessions")).body;
  expect(sessions.map(({ isThisOne }: { isThisOne: boolean }) => isThisOne)).toEqual([false, false, true]);
  const { sessionId } = (await other.ask("/session")).body;
  expect(await browser.ask(`/security/sessions/${sessionId}`, { method: "DELETE" })).toMatchObject({
    status: 204,
  });
  expect(await other.ask("/session")).toMatchObject({ status: 401 });
  expect(await browser.ask(`/security/sessions/${sessionId}`, { method: "DELETE" })).toMatchObject({
    status: 404,
  });
  const passwords = { currentPassword: person.password, newPassword: `${person.password}, another` };
  expect(await browser.ask("/security/password", { method: "PUT", body: passwords })).toMatchObject({
    status: 200,
  });
  expect(await third.ask("/session")).toMatchObject({ status: 401 });
  const fourth = await openSignedIn({ ...person, password: passwords.newPassword });
  expect(await browser.ask("/security/sessions", { method: "DELETE" })).toMatchObject({ status: 204 });
  expect(await fourth.ask("/session")).toMatchObject({ status: 401 });
});

test("a session steps up, gets new recovery codes, loses its factor, and ends", async () => {
  const browser = await openSignedIn(await addOperator(shop, "viewer"));
  const secret = await setUpFactor(browser);
  time.advance(10 * 60_000);
  expect(await browser.ask("/security/recovery-codes", { method: "POST" })).toMatchObject({
    status: 403,
    body: { error: "step_up_required" },
  });
  const proof = { kind: "totp", value: codeAt(secret, time.clock()) };
  expect(await browser.ask("/session/step-up", { body: proof })).toMatchObject({ status: 200 });
  const renewed = await browser.ask("/security/recovery-codes", { method: "POST" });
  expect(renewed.body.codes).toHaveLength(10);
  expect(await browser.ask("/security/totp", { method: "DELETE" })).toMatchObject({ status: 204 });
  expect((await browser.ask("/session")).body).toMatchObject({ mayAct: false, secondFactors: [] });
  expect(await browser.ask("/session", { method: "DELETE" })).toMatchObject({ status: 204 });
  expect(browser.cookie()).toContain("operator-session=; ");
  expect(await browser.ask("/session")).toMatchObject({ status: 401 });
});

test("the console is served on its own port and on no other, and buyers' interfaces are not served there", async () => {
  const apps = composeApps({
    services: shop,
    logger: pino({ level: "silent" }),
    metrics: createMetrics(),
    rateLimit: createRateLimit(null),
    validateResponses: true,
    operatorSecondFactor: "optional",
  });
  const serve = async ({ app }: App) => {
    const listening = await listen(app, { host: "127.0.0.1", port: 0 });
    onTestFinished(() => listening.close());
    return listening.url;
  };
  const [buyers, operators] = [await serve(apps.public), await serve(apps.operator)];
  const statusOf = async (url: string) => (await fetch(url, { redirect: "manual" })).status;
  expect(await statusOf(`${operators}${BASE}/session`)).toBe(401);
  expect(await statusOf(`${buyers}${BASE}/session`)).toBe(404);
  expect(await statusOf(`${operators}/docs/operator/openapi.json`)).toBe(200);
  expect(await statusOf(`${buyers}/docs/operator/openapi.json`)).toBe(404);
  for (const path of ["/shop/v1/products", "/account/v1/session", "/v1/models"]) {
    expect(await statusOf(`${buyers}${path}`)).toBe(401);
    expect(await statusOf(`${operators}${path}`)).toBe(404);
  }
  // Where a second factor is optional, who has none may use the role.
  const browser = openTestBrowser(operators, BASE);
  const { email, password } = await addOperator(shop, "viewer");
  const begun = await browser.ask("/session", { body: { email, password } });
  expect(begun.body).toMatchObject({ mayAct: true, secondFactors: [] });
  expect(await browser.ask("/operators")).toMatchObject({ status: 200 });
});

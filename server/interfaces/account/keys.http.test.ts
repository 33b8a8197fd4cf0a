import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../../ids.ts";
import { STEP_UP_MS } from "../../people/session.ts";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import { openAs, type TestBrowser } from "../../testing/test-browser.ts";
import { startTestShop, type TestShop, usd } from "../../testing/test-shop.ts";

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

const make = (browser: TestBrowser, accountId: AccountId, id: string, body: object = { kind: "general" }) =>
  browser.ask(`/accounts/${accountId}/keys`, { body, headers: { "Idempotency-Key": id } });

test("a key is made once, works, and is never shown again", async () => {
  const accountId = await shop.addAccount();
  const browser = await openAs(shop, "developer", accountId);
  const body = {
    kind: "product_ordering",
    name: "Order desk",
    orderCap: "50.00",
    expiresAt: "2027-01-01T00:00:00.000Z",
  };
  const made = await make(browser, accountId, "one", body);
  expect(made).toMatchObject({
    status: 201,
    body: { key: { ...body, status: "active", spentToday: "0.00" } },
  });
  const { secret, key } = made.body;
  expect(await shop.keys.authenticate(secret)).toMatchObject({ accountId, keyId: key.keyId });
  expect(await make(browser, accountId, "one", body)).toMatchObject({
    status: 409,
    body: { error: "key_exists", details: { key: key.keyId } },
  });
  const listed = await browser.ask(`/accounts/${accountId}/keys`);
  expect(listed.body).toEqual({ keys: [key] });
  // A text is another one in other letters.
  expect(await make(browser, accountId, "One", body)).toMatchObject({ status: 201 });
  expect(JSON.stringify(listed.body)).not.toContain(secret);
  expect(shop.log()).not.toContain(secret);
});

test("a key is changed, rotated with an overlap, and revoked", async () => {
  const accountId = await shop.addAccount();
  const browser = await openAs(shop, "owner", accountId);
  const { key: first, keyId } = await shop.addKey(accountId, "general", { orderCapMicrocents: usd("5") });
  const path = `/accounts/${accountId}/keys/${keyId}`;
  const changed = await browser.ask(path, { method: "PATCH", body: { name: "Night desk", orderCap: null } });
  expect(changed).toMatchObject({ status: 200, body: { name: "Night desk", orderCap: null } });
  const rotated = await browser.ask(`${path}/rotation`, { body: { overlapSeconds: 3_600 } });
  expect(rotated.body.key.formerSecrets).toHaveLength(1);
  for (const secret of [first, rotated.body.secret])
    expect(await shop.keys.authenticate(secret)).toMatchObject({ keyId });
  const ended = await browser.ask(`${path}/former-secrets`, { method: "DELETE" });
  expect(ended).toMatchObject({ status: 200, body: { formerSecrets: [] } });
  expect(await browser.ask(path, { method: "DELETE" })).toMatchObject({ body: { status: "revoked" } });
  expect(await browser.ask(path)).toMatchObject({ status: 200, body: { keyId, status: "revoked" } });
  expect(await browser.ask(`${path}/rotation`, { body: { overlapSeconds: 0 } })).toMatchObject({
    status: 409,
    body: { error: "key_ended" },
  });
});

test("what makes or changes keys wants a factor of the last ten minutes", async () => {
  const accountId = await shop.addAccount();
  const browser = await openAs(shop, "owner", accountId);
  const { keyId } = await shop.addKey(accountId);
  time.advance(STEP_UP_MS);
  const path = `/accounts/${accountId}/keys/${keyId}`;
  for (const answer of [
    await make(browser, accountId, "late"),
    await browser.ask(path, { method: "PATCH", body: { name: "x" } }),
    await browser.ask(`${path}/rotation`, { body: { overlapSeconds: 0 } }),
    await browser.ask(`${path}/former-secrets`, { method: "DELETE" }),
    await browser.ask(path, { method: "DELETE" }),
    await browser.ask("/security/totp", { method: "POST" }),
    await browser.ask("/security/totp", { method: "DELETE" }),
    await browser.ask("/security/recovery-codes", { method: "POST" }),
  ])
    expect(answer).toMatchObject({ status: 403, body: { error: "step_up_required" } });
  const proof = { kind: "password", value: browser.person.password };
  expect(await browser.ask("/session/step-up", { body: { ...proof, value: "wrong" } })).toMatchObject({
    status: 403,
  });
  expect((await browser.ask("/session/step-up", { body: proof })).body.steppedUpUntil).toBe(
    new Date(time.clock() + STEP_UP_MS).toISOString(),
  );
  expect(await make(browser, accountId, "in-time")).toMatchObject({ status: 201 });
});

test("roles are held, and another account's ids are like none", async () => {
  const [own, other] = [await shop.addAccount(), await shop.addAccount()];
  const foreign = await shop.addKey(other);
  const billing = await openAs(shop, "billing", own);
  expect(await billing.ask(`/accounts/${own}`)).toMatchObject({ status: 200, body: { role: "billing" } });
  const refused = await billing.ask(`/accounts/${own}/keys`);
  expect(refused).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
  expect(await make(billing, own, "billing")).toMatchObject({ status: 403 });

  const owner = await openAs(shop, "owner", own);
  for (const path of [
    `/accounts/${other}`,
    `/accounts/${other}/keys`,
    `/accounts/${other}/keys/${foreign.keyId}`,
    `/accounts/${own}/keys/${foreign.keyId}`,
    `/accounts/${own}/keys/none`,
    "/accounts/none",
  ])
    expect(await owner.ask(path), path).toMatchObject({ status: 404, body: { error: "not_found" } });
  expect(await make(owner, other, "foreign")).toMatchObject({ status: 404 });
  const path = `/accounts/${own}/keys/${foreign.keyId}`;
  expect(await owner.ask(path, { method: "DELETE" })).toMatchObject({ status: 404 });
  expect(await shop.keys.authenticate(foreign.key)).toMatchObject({ keyId: foreign.keyId });
});

test("the overview tells what is available, and what is held", async () => {
  const accountId = await shop.addAccount("500");
  const browser = await openAs(shop, "billing", accountId);
  expect((await browser.ask(`/accounts/${accountId}`)).body).toEqual({
    accountId,
    name: "Test account",
    role: "billing",
    balance: "500.00",
    reserved: "0.00",
    available: "500.00",
    currency: "USD",
    holds: [],
    hasMoreHolds: false,
    level: 3,
    nextLevel: { level: 4, remaining: "1500.00" },
    timeZone: "UTC",
    lowBalance: null,
    isBalanceLow: false,
  });
});

const AMOUNT = "An amount in USD, such as 50 or 12.5: digits, a dot, at most four digits behind it.";
const TIME = "A time with its zone, such as 2027-01-01T00:00:00Z.";

test.each([
  ["a cap that is no amount", { orderCap: "a lot" }, { orderCap: AMOUNT }],
  ["a cap with a comma", { dailyCap: "1,5" }, { dailyCap: AMOUNT }],
  ["a cap of nothing", { dailyCap: "0.00" }, { dailyCap: expect.stringMatching(/^A cap is/) }],
  ["an expiry that is no time", { expiresAt: "tomorrow" }, { expiresAt: TIME }],
  ["an expiry that is over", { expiresAt: "2020-01-01T00:00:00Z" }, { expiresAt: expect.any(String) }],
  ["a name of spaces", { name: "  " }, { name: expect.any(String) }],
  ["a name of nothing", { name: "" }, { name: "It must not be empty." }],
  [
    "a name that is too long",
    { name: "n".repeat(1_000) },
    { name: expect.stringMatching(/^At most \d+ characters\.$/) },
  ],
  ["no kind", { kind: undefined }, { kind: "It is missing." }],
])("%s is told at its field, in words", async (_, wrong, fields) => {
  const accountId = await shop.addAccount();
  const browser = await openAs(shop, "owner", accountId);
  const answer = await make(browser, accountId, "wrong", { kind: "general", ...wrong });
  expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  expect(answer.body.details.fields).toEqual(fields);
});

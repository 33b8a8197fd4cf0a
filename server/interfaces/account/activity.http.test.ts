import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../../ids.ts";
import { STEP_UP_MS } from "../../people/session.ts";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import { openAs, openTestBrowser, type TestBrowser } from "../../testing/test-browser.ts";
import { codeAt, tokenOf } from "../../testing/test-people.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

/** An account with a delivered order, as its buyer got it. */
async function addOrder(): Promise<{ accountId: AccountId; order: { orderId: string; codes: string[] } }> {
  const accountId = await shop.addAccount();
  const { key } = await shop.addKey(accountId);
  const body = { externalOrderId: "one", productId: shop.productId, qty: 2 };
  return { accountId, order: (await shop.call("/orders", { key, body })).body };
}

const activityOf = async (browser: TestBrowser, accountId: AccountId, query = "") =>
  (await browser.ask(`/accounts/${accountId}/activity${query}`)).body;

const makeKey = (browser: TestBrowser, accountId: AccountId, name: string) =>
  browser.ask(`/accounts/${accountId}/keys`, {
    body: { kind: "general", name },
    headers: { "Idempotency-Key": name },
  });

test("codes are shown after a recent factor, to owners and developers, and that is recorded", async () => {
  const { accountId, order } = await addOrder();
  const [owner, developer] = [
    await openAs(shop, "owner", accountId),
    await openAs(shop, "developer", accountId),
  ];
  const billing = await openAs(shop, "billing", accountId);
  const path = `/accounts/${accountId}/orders/${order.orderId}/codes`;
  const show = (browser: TestBrowser) => browser.ask(path, { method: "POST" });
  expect(await show(billing)).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
  const shown = await show(developer);
  expect(shown).toMatchObject({ status: 200, body: { orderId: order.orderId, codes: order.codes } });
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect((await activityOf(owner, accountId, "?action=codes_shown")).entries).toMatchObject([
    {
      action: "codes_shown",
      userId: developer.person.userId,
      email: developer.person.email,
      targetId: order.orderId,
      targetName: null,
      createdAt: "2026-03-01T12:00:00.000Z",
    },
  ]);
  const stepUp = { kind: "password", value: developer.person.password };
  time.advance(STEP_UP_MS);
  expect(await show(developer)).toMatchObject({ status: 403, body: { error: "step_up_required" } });
  expect(await developer.ask("/session/step-up", { body: stepUp })).toMatchObject({ status: 200 });
  expect(await show(developer)).toMatchObject({ status: 200, body: { codes: order.codes } });
  expect((await activityOf(owner, accountId, "?action=codes_shown")).entries).toHaveLength(2);
  for (const code of order.codes) expect(shop.log()).not.toContain(code);
});

test("an order that shows no codes says so, and one of others is none", async () => {
  const [{ accountId, order }, foreign] = [await addOrder(), await addOrder()];
  const owner = await openAs(shop, "owner", accountId);
  const show = (orderId: string) =>
    owner.ask(`/accounts/${accountId}/orders/${orderId}/codes`, { method: "POST" });
  expect(await show(foreign.order.orderId)).toMatchObject({ status: 404 });
  await shop.orderAdministration.refund(order.orderId as `ord_${string}`, "It was not wanted.");
  expect(await show(order.orderId)).toMatchObject({
    status: 409,
    body: { error: "no_codes", details: { status: "refunded" } },
  });
  expect((await activityOf(owner, accountId, "?action=codes_shown")).entries).toEqual([]);
});

test("what people do is recorded with who did it, and nothing secret", async () => {
  const accountId = await shop.addAccount();
  const owner = await openAs(shop, "owner", accountId);
  const path = `/accounts/${accountId}`;
  const { secret, key } = (await makeKey(owner, accountId, "Desk")).body;
  const keyPath = `${path}/keys/${key.keyId}`;
  await owner.ask(keyPath, { method: "PATCH", body: { name: "Night desk" } });
  const rotated = (await owner.ask(`${keyPath}/rotation`, { body: { overlapSeconds: 60 } })).body.secret;
  await owner.ask(`${keyPath}/former-secrets`, { method: "DELETE" });
  for (let time = 0; time < 2; time += 1) await owner.ask(keyPath, { method: "DELETE" });
  const invited = { email: "grace@buyer.example", role: "billing" };
  const token = tokenOf((await owner.ask(`${path}/invitations`, { body: invited })).body.link);
  const password = "password of grace";
  const grace = openTestBrowser(new URL(shop.baseUrl).origin);
  await grace.ask("/invitation/acceptance", { body: { token, password, name: "Grace" } });
  const { userId } = (await grace.ask("/session", { body: { email: invited.email, password } })).body;
  await owner.ask(`${path}/members/${userId}`, { method: "DELETE" });
  const totp = (await owner.ask("/security/totp", { method: "POST" })).body.secret;
  const code = codeAt(totp, time.clock());
  const { codes } = (await owner.ask("/security/totp", { method: "PUT", body: { code } })).body;
  await owner.ask("/security/recovery-codes", { method: "POST" });
  await owner.ask("/security/totp", { method: "DELETE" });
  const elsewhere = openTestBrowser(new URL(shop.baseUrl).origin);
  const { email } = owner.person;
  await elsewhere.ask("/session", { body: { email, password: owner.person.password } });
  await owner.ask("/security/sessions", { method: "DELETE" });
  const change = { currentPassword: owner.person.password, newPassword: "another password" };
  await owner.ask("/security/password", { method: "PUT", body: change });

  const { entries, hasMore } = await activityOf(owner, accountId);
  expect(hasMore).toBe(false);
  const told = entries.map(({ action, targetId, targetName }: Record<string, string | null>) =>
    [action, targetId, targetName].filter((it) => it !== null).join(" "),
  );
  const [keyId, ownId] = [key.keyId, owner.person.userId];
  // All of the same millisecond: the ids say which came first only as far as their clock does.
  expect(told.toSorted()).toEqual(
    [
      `member_joined ${ownId} ${owner.person.email}`,
      ...["signed_in", "signed_in"],
      `key_created ${keyId} Desk`,
      `key_changed ${keyId} Night desk`,
      `key_rotated ${keyId} Night desk`,
      `key_overlap_ended ${keyId} Night desk`,
      `key_revoked ${keyId} Night desk`,
      "member_invited grace@buyer.example",
      `member_joined ${userId} grace@buyer.example`,
      "signed_in",
      `member_removed ${userId} grace@buyer.example`,
      "totp_added",
      "recovery_codes_renewed",
      "totp_removed",
      "other_sessions_ended",
      "password_changed",
    ].toSorted(),
  );
  for (const entry of entries) expect([ownId, userId]).toContain(entry.userId);
  const text = JSON.stringify(entries);
  for (const hidden of [secret, rotated, token, password, totp, code, ...codes, change.newPassword])
    expect(text.includes(hidden), hidden).toBe(false);
});

test("what changes nothing is no act", async () => {
  const accountId = await shop.addAccount();
  const owner = await openAs(shop, "owner", accountId);
  const path = `/accounts/${accountId}`;
  const { keyId } = (await makeKey(owner, accountId, "Desk")).body.key;
  const change = (of: string, body: object) => owner.ask(`${path}${of}`, { method: "PATCH", body });
  expect(await change("/settings", { timeZone: "UTC", lowBalance: null })).toMatchObject({ status: 200 });
  await change("/settings", { lowBalance: "5.00" });
  const before = (await activityOf(owner, accountId)).entries;
  expect(before.map(({ action }: { action: string }) => action)).toContain("settings_changed");

  for (const body of [{ lowBalance: "5.0000" }, { timeZone: "UTC", lowBalance: "5.00" }])
    expect(await change("/settings", body)).toMatchObject({ status: 200, body: { lowBalance: "5.00" } });
  const same = { name: "Desk", expiresAt: null, orderCap: null };
  expect(await change(`/keys/${keyId}`, same)).toMatchObject({ status: 200, body: { name: "Desk" } });
  for (const of of [`${path}/keys/${keyId}/former-secrets`, "/security/sessions", "/security/totp"])
    expect((await owner.ask(of, { method: "DELETE" })).status).toBeLessThan(300);
  expect((await activityOf(owner, accountId)).entries).toEqual(before);
});

test("activity is read page by page, by action, user and time, by owners alone", async () => {
  const [accountId, other] = [await shop.addAccount(), await shop.addAccount()];
  const [owner, developer] = [
    await openAs(shop, "owner", accountId),
    await openAs(shop, "developer", accountId),
  ];
  const stranger = await openAs(shop, "owner", other);
  time.advance(1_000);
  const from = new Date(time.clock()).toISOString();
  for (const name of ["one", "two", "three"]) {
    await makeKey(developer, accountId, name);
    time.advance(1_000);
  }
  const to = new Date(time.clock()).toISOString();
  await makeKey(owner, accountId, "four");
  const names = async (query: string) =>
    (await activityOf(owner, accountId, query)).entries.map(
      ({ targetName }: { targetName: string }) => targetName,
    );
  expect(await names(`?from=${from}`)).toEqual(["four", "three", "two", "one"]);
  expect(await names(`?from=${from}&to=${to}`)).toEqual(["three", "two", "one"]);
  expect(await names(`?from=${from}&userId=${owner.person.userId}`)).toEqual(["four"]);
  expect(await names(`?from=${to}&action=key_revoked`)).toEqual([]);
  const pages: string[][] = [];
  for (let cursor = ""; ; ) {
    const page = await activityOf(owner, accountId, `?limit=3&from=${from}${cursor}`);
    pages.push(page.entries.map(({ targetName }: { targetName: string }) => targetName));
    if (!page.hasMore) break;
    cursor = `&cursor=${page.nextCursor}`;
    expect(await stranger.ask(`/accounts/${other}/activity?cursor=${page.nextCursor}`)).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  }
  expect(pages).toEqual([["four", "three", "two"], ["one"]]);
  expect(await developer.ask(`/accounts/${accountId}/activity`)).toMatchObject({ status: 403 });
});

test("what cannot be recorded is not done", async () => {
  const { accountId, order } = await addOrder();
  const owner = await openAs(shop, "owner", accountId);
  const before = await shop.keys.list(accountId);
  await shop.database.change("RENAME TABLE account_activity TO account_activity_gone");
  expect(await makeKey(owner, accountId, "lost")).toMatchObject({ status: 500 });
  const path = `/accounts/${accountId}/orders/${order.orderId}/codes`;
  const shown = await owner.ask(path, { method: "POST" });
  expect(shown).toMatchObject({ status: 500 });
  for (const code of order.codes) expect(JSON.stringify(shown.body)).not.toContain(code);
  const [key] = before;
  await owner.ask(`/accounts/${accountId}/keys/${key?.keyId}`, { method: "DELETE" });
  await shop.database.change("RENAME TABLE account_activity_gone TO account_activity");
  expect(await shop.keys.list(accountId)).toEqual(before);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../../ids.ts";
import type { Role } from "../../people/person.ts";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import { type IdsOfAccount, tryForeignIds, type Writing } from "../../testing/foreign-attempts.ts";
import {
  openSignedIn,
  openTestBrowser,
  type PersonsBrowser,
  type TestBrowser,
} from "../../testing/test-browser.ts";
import { addPerson, codeAt, type TestPerson, TOTP_STEP_MS, tokenOf } from "../../testing/test-people.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";
import { readDocument } from "../read-document.ts";

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

interface Visiting extends PersonsBrowser {
  /** The text that lets in. */
  token(): string;
}

async function signIn(person: TestPerson): Promise<Visiting> {
  const browser = await openSignedIn(shop, person);
  const token = () => /=([^;]*)/.exec(browser.cookie())?.[1] ?? "";
  return { ...browser, token };
}

const visit = async (accountId: AccountId, role: Role = "owner") =>
  signIn(await addPerson(shop, accountId, role));

test("nothing that lets in is logged, whether it is right, wrong, or fails", async () => {
  const accountId = await shop.addAccount();
  const { link } = await shop.people.invitations.invite("secret@buyer.example", accountId, "owner");
  const [token, password, wrong] = [tokenOf(link), "first secret password", "wrong secret password"];
  const open = openTestBrowser(new URL(shop.baseUrl).origin);
  await open.ask("/invitation", { body: { token } });
  await open.ask("/invitation/acceptance", { body: { token, password: "short?!", name: "Ada" } });
  await open.ask("/invitation/acceptance", { body: { token, password, name: "Ada" } });
  await open.ask("/session", { body: { email: "secret@buyer.example", password: wrong } });
  await open.ask("/session", { body: { email: "secret@buyer.example", password, more: wrong } });
  const user = { ...(await addPerson(shop, accountId)), email: "secret@buyer.example", password };
  const browser = await signIn(user);
  const replaced = browser.token();
  const next = "second secret password";
  const change = (currentPassword: string) =>
    browser.ask("/security/password", { method: "PUT", body: { currentPassword, newPassword: next } });
  expect([(await change(wrong)).status, (await change(password)).status]).toEqual([400, 200]);
  const totp = (await browser.ask("/security/totp", { method: "POST" })).body.secret;
  const code = codeAt(totp, time.clock());
  const { codes } = (await browser.ask("/security/totp", { method: "PUT", body: { code } })).body;
  time.advance(TOTP_STEP_MS);
  const again = await signIn({ ...user, password: next });
  const waiting = again.token();
  const proof = { kind: "recovery_code", value: codes[0] };
  expect(await again.ask("/session/factor", { body: proof })).toMatchObject({ status: 200 });
  expect(await again.ask("/session/factor", { body: proof })).toMatchObject({ status: 403 });
  const made = await again.ask(`/accounts/${accountId}/keys`, {
    body: { kind: "general" },
    headers: { "Idempotency-Key": "secret" },
  });
  const path = `/accounts/${accountId}/keys/${made.body.key.keyId}`;
  const rotated = await again.ask(`${path}/rotation`, { body: { overlapSeconds: 60 } });
  // What nobody has foreseen is logged whole.
  await shop.database.change("RENAME TABLE recovery_codes TO recovery_codes_gone");
  expect(await again.ask("/security/recovery-codes", { method: "POST" })).toMatchObject({ status: 500 });
  expect(await again.ask("/session/step-up", { body: { ...proof, value: codes[1] } })).toMatchObject({
    status: 500,
  });
  await shop.database.change("RENAME TABLE recovery_codes_gone TO recovery_codes");
  const secrets = [token, password, "short?!", wrong, next, totp, code, ...codes, replaced, waiting];
  const log = shop.log();
  expect(log).toContain("recovery_codes");
  for (const secret of [...secrets, again.token(), made.body.secret, rotated.body.secret])
    expect(log.includes(secret), secret).toBe(false);
});

test("no answer, and no URL, holds a token; no cache keeps an answer", async () => {
  const browser = await visit(await shop.addAccount());
  const { paths = {} } = readDocument("account");
  for (const [path, item] of Object.entries(paths).filter(([path]) => !path.includes("{"))) {
    if (!item || !("get" in item)) continue;
    const answer = await browser.ask(path);
    expect(answer, path).toMatchObject({ status: 200 });
    expect(JSON.stringify(answer.body).includes(browser.token()), path).toBe(false);
    expect(answer.headers.get("cache-control"), path).toBe("no-store");
    expect(answer.headers.get("referrer-policy"), path).toBe("no-referrer");
  }
});

test("no page of another origin is given leave to ask", async () => {
  for (const path of ["/session", `/accounts/${await shop.addAccount()}/keys`]) {
    const response = await fetch(`${shop.ownUrl}/account/v1${path}`, {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "DELETE" },
    });
    expect(response.status, path).toBe(405);
    expect(response.headers.get("access-control-allow-origin"), path).toBeNull();
  }
});

/** Ways to write an id. */
const WRITTEN: readonly Writing[] = [
  (id) => id,
  (id) => id.toUpperCase(),
  (id) => `${id}%20`,
  (id) => `%20${id}`,
  (id) => `${id}%00`,
  (id) => id.replace("_", "%5F"),
  (id, own) => `${own}%2F..%2F${id}`,
  (id, own) => `${own},${id}`,
  (id, own) => `${own}%0A${id}`,
  (id, own) => `${own};${id}`,
];

/** An account's key, an order that it has placed, and a member. */
async function addKeyAndOrder(accountId: AccountId): Promise<IdsOfAccount> {
  const { key, keyId } = await shop.addKey(accountId);
  const body = { externalOrderId: "one", productId: shop.productId, qty: 1 };
  const { orderId } = (await shop.call("/orders", { key, body })).body;
  const { userId } = await addPerson(shop, accountId);
  return { accountId, keyId, orderId, userId };
}

/** A thousand requests and more take a while on a busy machine. */
const MAX_MS = 600_000;

test(
  "no attempt at what belongs to others is let through, and none is told from nothing",
  async () => {
    const [own, other] = [await shop.addAccount(), await shop.addAccount()];
    const foreign = await addKeyAndOrder(other);
    const owned = await addKeyAndOrder(own);
    const state = () => Promise.all([other, own].flatMap((id) => [shop.keys.list(id), shop.people.list(id)]));
    const visitors = [await visit(own, "owner"), await visit(own, "developer"), await visit(own, "billing")];
    const before = await state();

    let attempts = 0;
    for (const write of WRITTEN) {
      for (const { place, answer, atNothing } of await tryForeignIds(
        { visitors, own: owned, foreign },
        write,
      )) {
        expect(answer, place).toMatch(/^(?:404|403|400) /);
        expect(answer, place).toBe(atNothing);
        attempts += 1;
      }
    }
    expect(attempts).toBeGreaterThan(800);
    expect(await state()).toEqual(before);
  },
  MAX_MS,
);

test("who is removed, has another role, or whose account is suspended, is refused at once", async () => {
  const [accountId, other] = [await shop.addAccount(), await shop.addAccount()];
  const person = await addPerson(shop, accountId);
  const { link } = await shop.people.invitations.invite(person.email, other, "developer");
  await shop.people.invitations.accept({
    ...{ token: tokenOf(link), password: person.password, name: null, address: "192.0.2.9" },
  });
  const browser = await signIn(person);
  const statusOf = async (path: string) => (await browser.ask(path)).status;
  expect([await statusOf(`/accounts/${accountId}`), await statusOf(`/accounts/${other}/keys`)]).toEqual([
    200, 200,
  ]);
  await shop.accounts.suspend(accountId);
  expect([await statusOf(`/accounts/${accountId}`), await statusOf(`/accounts/${other}/keys`)]).toEqual([
    404, 200,
  ]);
  const demoted = await shop.people.invitations.invite(person.email, other, "billing");
  await shop.people.invitations.accept({
    ...{ token: tokenOf(demoted.link), password: person.password, name: null, address: "192.0.2.9" },
  });
  expect(await statusOf(`/accounts/${other}/keys`)).toBe(403);
  await shop.accounts.suspend(other);
  expect(await statusOf("/session")).toBe(401);
  await shop.accounts.resume(other);
  expect(await statusOf("/session")).toBe(200);
  await shop.people.remove(person.email, other);
  expect(await statusOf("/session")).toBe(401);
});

test("owners invite and remove, and the last of them stays", async () => {
  const accountId = await shop.addAccount();
  const [owner, other] = [await visit(accountId), await visit(accountId)];
  const developer = await visit(accountId, "developer");
  const path = `/accounts/${accountId}`;
  const invite = (browser: TestBrowser) =>
    browser.ask(`${path}/invitations`, { body: { email: "new@buyer.example", role: "billing" } });
  const remove = (browser: TestBrowser, { person }: Visiting) =>
    browser.ask(`${path}/members/${person.userId}`, { method: "DELETE" });
  expect(await invite(developer)).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
  expect(await remove(developer, owner)).toMatchObject({ status: 403 });
  const { link } = (await invite(owner)).body;
  const shown = await developer.ask("/invitation", { body: { token: tokenOf(link) } });
  expect(shown.body).toMatchObject({ email: "new@buyer.example", role: "billing" });
  expect(shop.log()).not.toContain(tokenOf(link));

  expect(await remove(owner, developer)).toMatchObject({ status: 204 });
  expect(await developer.ask("/session")).toMatchObject({ status: 401 });
  expect(await remove(owner, developer)).toMatchObject({ status: 404 });
  const leaving = await Promise.all([remove(owner, owner), remove(other, other)]);
  expect(leaving.map(({ status }) => status).sort()).toEqual([204, 409]);
  const left = leaving[0]?.status === 409 ? owner : other;
  const { members } = (await left.ask(`${path}/members`)).body;
  expect(members).toMatchObject([{ userId: left.person.userId, role: "owner" }]);
});

test("a key that is made or changed by many at once is made once, and keeps one of the changes", async () => {
  const accountId = await shop.addAccount();
  const browser = await visit(accountId, "developer");
  const path = `/accounts/${accountId}/keys`;
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      browser.ask(path, { body: { kind: "general" }, headers: { "Idempotency-Key": "race" } }),
    ),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  const [key, ...others] = await shop.keys.list(accountId);
  expect(others).toEqual([]);
  const named = made.map(({ status, body }) => (status === 201 ? body.key.keyId : body.details.key));
  expect(new Set(named)).toEqual(new Set([key?.keyId]));
  const rotated = await Promise.all(
    Array.from({ length: 4 }, () =>
      browser.ask(`${path}/${key?.keyId}/rotation`, { body: { overlapSeconds: 3_600 } }),
    ),
  );
  expect(rotated.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const first = made.find(({ status }) => status === 201)?.body.secret;
  for (const secret of [first, ...rotated.map(({ body }) => body.secret)])
    expect(await shop.keys.authenticate(secret)).toMatchObject({ keyId: key?.keyId });
});

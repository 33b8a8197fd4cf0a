import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId, KeyId } from "../ids.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { holdMemory } from "../testing/held-time.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import type { KeyProperties } from "./api-key.ts";
import { createKeys } from "./keys.ts";

const NOON = "2026-03-01T12:00:00Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let time: FixedClock;
let services: TestServices;
beforeAll(async () => {
  time = fixedClock(NOON);
  services = await openTestServices(time.clock);
});
// Ends with the audit.
afterAll(() => services.dispose());

/** What other processes see, or this one half a second later. */
function elsewhere(): TestServices["keys"] {
  const { database, clock, accounts } = services;
  return createKeys({ database, clock, accounts, keyPrefix: "svc_sk_" });
}

const isKnown = async (key: string) => (await elsewhere().authenticate(key)) !== null;

test("a key has a name, an expiry and caps, which are changed one by one", async () => {
  const accountId = await services.addAccount();
  const expiresAtMs = time.clock() + DAY_MS;
  const { keyId, key, ...made } = await services.keys.create({
    accountId,
    kind: "general",
    name: "Order desk",
    expiresAtMs,
    dailyCapMicrocents: usd("5"),
  });
  expect(made).toMatchObject({ name: "Order desk", expiresAtMs, lastUsedAtMs: null, formerSecrets: [] });
  expect(await services.keys.get(keyId)).toEqual({ keyId, ...made });

  const renamed = await services.keys.change(keyId, { name: "Night desk" });
  expect(renamed).toEqual({ keyId, ...made, name: "Night desk" });
  await services.keys.change(keyId, { expiresAtMs: null, name: null });
  expect(await services.keys.get(keyId)).toEqual({ keyId, ...made, name: null, expiresAtMs: null });
  expect(await services.keys.change(keyId, {})).toMatchObject({ dailyCapMicrocents: usd("5") });
});

test.each([
  ["name", { name: "" }],
  ["name", { name: " \t" }],
  ["name", { name: "x".repeat(101) }],
  ["expiresAt", { expiresAtMs: Date.parse(NOON) }],
  ["expiresAt", { expiresAtMs: Number.NaN }],
  ["orderCap", { orderCapMicrocents: usd("0") }],
  ["dailyCap", { dailyCapMicrocents: usd("90071992.5475") }],
  ["idempotencyKey", { idempotencyKey: "" }],
  ["idempotencyKey", { idempotencyKey: "two words" }],
  ["idempotencyKey", { idempotencyKey: "x".repeat(256) }],
])("a wrong %s is refused at its field, when a key is made and when it is changed", async (field, wrong) => {
  time.set(NOON);
  const accountId = await services.addAccount();
  const refusal = { code: "invalid_input", field, facts: { field } };
  await expect(services.keys.create({ accountId, kind: "general", ...wrong })).rejects.toMatchObject(refusal);
  expect(await services.keys.list(accountId)).toEqual([]);
  if (field === "idempotencyKey") return;
  const { keyId } = await services.addKey(accountId);
  const before = await services.keys.get(keyId);
  await expect(services.keys.change(keyId, wrong as Partial<KeyProperties>)).rejects.toMatchObject(refusal);
  expect(await services.keys.get(keyId)).toEqual(before);
});

test("a key that expires is refused from that moment on, also where it was let in just before, until it is moved", async () => {
  holdMemory();
  time.set(NOON);
  const expiresAtMs = time.clock() + HOUR_MS;
  const accountId = await services.addAccount();
  const { keyId, key } = await services.keys.create({ accountId, kind: "general", expiresAtMs });
  time.advance(HOUR_MS - 1);
  expect(await services.keys.authenticate(key)).toMatchObject({ keyId });
  expect(await services.keys.findUnusable([keyId])).toEqual([]);
  time.advance(1);
  expect(await services.keys.authenticate(key)).toBeNull();
  expect(await isKnown(key)).toBe(false);
  expect(await services.keys.findUnusable([keyId])).toEqual([keyId]);

  await services.keys.change(keyId, { expiresAtMs: time.clock() + 1 });
  expect(await isKnown(key)).toBe(true);
});

test("a rotated key has two secrets until the overlap ends, and is one key", async () => {
  time.set(NOON);
  const accountId = await services.addAccount();
  const { key: first, keyId } = await services.addKey(accountId);
  const { key: second, ...rotated } = await services.keys.rotate(keyId, HOUR_MS);
  expect(second).not.toBe(first);
  expect(rotated).toMatchObject({ keyId, accountId, createdAtMs: time.clock() });
  const shown = (secret: string) => `${secret.slice(0, 11)}…${secret.slice(-4)}`;
  expect(rotated.preview).toBe(shown(second));
  const replaced = { replacedAtMs: time.clock(), worksUntilMs: time.clock() + HOUR_MS };
  expect(rotated.formerSecrets).toEqual([{ preview: shown(first), ...replaced }]);
  expect(await services.keys.get(keyId)).toEqual(rotated);
  expect(await services.keys.list(accountId)).toEqual([rotated]);

  const caller = await services.keys.authenticate(first);
  expect(caller).toMatchObject({ keyId, accountId });
  expect(await services.keys.authenticate(second)).toEqual(caller);
  time.advance(HOUR_MS - 1);
  expect(await services.keys.authenticate(first)).toEqual(caller);
  time.advance(1);
  expect(await services.keys.authenticate(first)).toBeNull();
  expect(await isKnown(first)).toBe(false);
  expect(await services.keys.authenticate(second)).toEqual(caller);
  expect(await services.keys.get(keyId)).toMatchObject({ formerSecrets: [] });
});

test("a second rotation leaves both earlier secrets their time, and one without overlap ends them", async () => {
  time.set(NOON);
  const { key: first, keyId } = await services.addKey(await services.addAccount());
  const { key: second } = await services.keys.rotate(keyId, HOUR_MS);
  const { key: third, formerSecrets } = await services.keys.rotate(keyId, 2 * HOUR_MS);
  expect(formerSecrets.map(({ worksUntilMs }) => (worksUntilMs - time.clock()) / HOUR_MS).toSorted()).toEqual(
    [1, 2],
  );
  const known = async () => [await isKnown(first), await isKnown(second), await isKnown(third)];
  expect(await known()).toEqual([true, true, true]);
  time.advance(HOUR_MS);
  expect(await known()).toEqual([false, true, true]);
  const { key: fourth } = await services.keys.rotate(keyId, 0);
  expect([...(await known()), await isKnown(fourth)]).toEqual([false, false, false, true]);
});

test("an overlap is ended early, and is at most seven days", async () => {
  time.set(NOON);
  const { key: first, keyId } = await services.addKey(await services.addAccount());
  for (const overlapMs of [-1, 1.5, 7 * DAY_MS + 1, Number.NaN])
    await expect(services.keys.rotate(keyId, overlapMs)).rejects.toMatchObject({
      facts: { field: "overlap" },
    });
  const { key: second } = await services.keys.rotate(keyId, 7 * DAY_MS);
  expect(await isKnown(first)).toBe(true);
  expect(await services.keys.endOverlap(keyId)).toMatchObject({ keyId, formerSecrets: [] });
  expect([await isKnown(first), await isKnown(second)]).toEqual([false, true]);
  await services.keys.endOverlap(keyId);
});

test("neither a rotation nor the end of an overlap touches the secrets of another key", async () => {
  time.set(NOON);
  const accountId = await services.addAccount();
  const other = await services.addKey(accountId);
  await services.keys.rotate(other.keyId, DAY_MS);
  const { formerSecrets } = await services.keys.get(other.keyId);
  const { keyId } = await services.addKey(accountId);
  await services.keys.rotate(keyId, HOUR_MS);
  await services.keys.rotate(keyId, 0);
  await services.keys.endOverlap(keyId);
  expect((await services.keys.get(other.keyId)).formerSecrets).toEqual(formerSecrets);
  expect(await isKnown(other.key)).toBe(true);
});

test("a former secret ends with its key: when that expires or is revoked", async () => {
  time.set(NOON);
  const accountId = await services.addAccount();
  const expiring = await services.keys.create({
    accountId,
    kind: "general",
    expiresAtMs: time.clock() + HOUR_MS,
  });
  await services.keys.rotate(expiring.keyId, DAY_MS);
  const revoked = await services.addKey(accountId);
  const { key: newer } = await services.keys.rotate(revoked.keyId, DAY_MS);
  await services.keys.revoke(revoked.keyId);
  expect([await isKnown(revoked.key), await isKnown(newer)]).toEqual([false, false]);
  expect(await isKnown(expiring.key)).toBe(true);
  time.advance(HOUR_MS);
  expect(await isKnown(expiring.key)).toBe(false);
  for (const keyId of [expiring.keyId, revoked.keyId])
    await expect(services.keys.rotate(keyId, 0)).rejects.toMatchObject({
      code: "key_ended",
      facts: { key: keyId },
    });
});

test("no secret of a suspended account is known, until the account is resumed", async () => {
  time.set(NOON);
  const accountId = await services.addAccount();
  const { key: former, keyId } = await services.addKey(accountId);
  const { key } = await services.keys.rotate(keyId, DAY_MS);
  await services.accounts.suspend(accountId);
  expect([await isKnown(former), await isKnown(key)]).toEqual([false, false]);
  await services.accounts.resume(accountId);
  expect([await isKnown(former), await isKnown(key)]).toEqual([true, true]);
});

test("of many rotations at once none is lost: the last secret stays, and every other works until the overlap ends", async () => {
  time.set(NOON);
  const { key: first, keyId } = await services.addKey(await services.addAccount());
  const rotations = Array.from({ length: 8 }, () => services.keys.rotate(keyId, HOUR_MS));
  const made = (await Promise.all(rotations)).map(({ key }) => key);
  for (const secret of [first, ...made]) expect(await isKnown(secret)).toBe(true);
  expect((await services.keys.get(keyId)).formerSecrets).toHaveLength(8);
  time.advance(HOUR_MS);
  const known = await Promise.all([first, ...made].map(isKnown));
  expect(known.filter(Boolean)).toHaveLength(1);
});

test("a key that is revoked while it is rotated is revoked with all of its secrets", async () => {
  time.set(NOON);
  const accountId = await services.addAccount();
  for (let round = 0; round < 10; round += 1) {
    const { key, keyId } = await services.addKey(accountId);
    const [rotated] = await Promise.allSettled([
      services.keys.rotate(keyId, DAY_MS),
      services.keys.revoke(keyId),
    ]);
    if (rotated.status === "fulfilled") expect(await isKnown(rotated.value.key)).toBe(false);
    else expect(rotated.reason).toMatchObject({ code: "key_ended" });
    expect(await isKnown(key)).toBe(false);
    expect(await services.keys.get(keyId)).toMatchObject({ status: "revoked" });
  }
});

test("a cap above its ceiling is refused at its field, and a lower ceiling holds in place of the caps that are there", async () => {
  const accountId = await services.addAccount();
  const ceilings = { orderCapCeilingMicrocents: usd("10"), dailyCapCeilingMicrocents: usd("50") };
  await services.accounts.set(accountId, ceilings);
  expect(await services.accounts.get(accountId)).toMatchObject(ceilings);
  const tooMuch = { orderCapMicrocents: usd("10.0001") };
  const refusal = { facts: { field: "orderCap" }, message: expect.stringContaining("10.00 USD") };
  await expect(services.keys.create({ accountId, kind: "general", ...tooMuch })).rejects.toMatchObject(
    refusal,
  );
  const { keyId, key } = await services.addKey(accountId, "general", { orderCapMicrocents: usd("10") });
  await expect(services.keys.change(keyId, tooMuch)).rejects.toMatchObject(refusal);
  await expect(services.keys.change(keyId, { dailyCapMicrocents: usd("51") })).rejects.toMatchObject({
    facts: { field: "dailyCap" },
  });
  const caps = async () => {
    const caller = await elsewhere().authenticate(key);
    return [caller?.orderCapMicrocents, caller?.dailyCapMicrocents];
  };
  // Where there is no cap, the ceiling is one.
  expect(await caps()).toEqual([usd("10"), usd("50")]);
  await services.accounts.set(accountId, { orderCapCeilingMicrocents: usd("4") });
  expect(await caps()).toEqual([usd("4"), usd("50")]);
  expect(await services.keys.get(keyId)).toMatchObject({
    orderCapMicrocents: usd("10"),
    orderCapCeilingMicrocents: usd("4"),
  });
  // Another property can be changed all the same.
  await services.keys.change(keyId, { name: "Kept", dailyCapMicrocents: null });
  await services.accounts.set(accountId, {
    orderCapCeilingMicrocents: null,
    dailyCapCeilingMicrocents: null,
  });
  expect(await caps()).toEqual([usd("10"), null]);
});

test.each([
  ["order", "orderCapMicrocents", "orderCapCeilingMicrocents"],
  ["daily", "dailyCapMicrocents", "dailyCapCeilingMicrocents"],
] as const)(
  "a key's own %s ceiling holds in place of its account's, for a former secret as well",
  async (_which, cap, ceiling) => {
    time.set(NOON);
    const accountId = await services.addAccount();
    await services.accounts.set(accountId, { [ceiling]: usd("50") });
    const { keyId, key } = await services.addKey(accountId);
    await services.keys.setCeilings(keyId, { [ceiling]: usd("500") });
    await expect(services.keys.change(keyId, { [cap]: usd("400") })).resolves.toMatchObject({
      [ceiling]: usd("500"),
    });
    const { key: newer } = await services.keys.rotate(keyId, DAY_MS);
    const expectCap = async (amount: string) => {
      for (const secret of [key, newer])
        expect((await elsewhere().authenticate(secret))?.[cap]).toBe(usd(amount));
    };
    await expectCap("400");
    await services.keys.setCeilings(keyId, { [ceiling]: null });
    await expectCap("50");
    for (const amount of [usd("0"), usd("90071992.5475")]) {
      const wrong = { [ceiling]: amount };
      await expect(services.keys.setCeilings(keyId, wrong)).rejects.toMatchObject({ code: "invalid_input" });
      await expect(services.accounts.set(accountId, wrong)).rejects.toMatchObject({ code: "invalid_input" });
    }
  },
);

test("under one idempotency key an account is made one key, however many ask at once and whatever they ask for", async () => {
  time.set(NOON);
  const accountId = await services.addAccount();
  const asked = Array.from({ length: 12 }, (_, index) =>
    services.keys.create({
      accountId,
      kind: index % 2 === 0 ? "general" : "ai_proxy",
      idempotencyKey: "once",
    }),
  );
  const ends = await Promise.allSettled(asked);
  const made = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  expect(made).toHaveLength(1);
  const keyId = made[0]?.keyId as KeyId;
  expect(await services.keys.list(accountId)).toMatchObject([{ keyId }]);
  for (const end of ends.filter(({ status }) => status === "rejected"))
    expect(end).toMatchObject({ reason: { code: "key_exists", facts: { key: keyId } } });
  // Also when it is revoked, and when what is asked for could not be made any more.
  await services.keys.revoke(keyId);
  const again = { accountId, kind: "general", idempotencyKey: "once", dailyCapMicrocents: usd("0") } as const;
  await expect(services.keys.create(again)).rejects.toMatchObject({ code: "key_exists" });
  // Another account's, and another in its bytes, are others.
  await services.keys.create({ accountId, kind: "general", idempotencyKey: "Once" });
  await services.keys.create({
    accountId: await services.addAccount(),
    kind: "general",
    idempotencyKey: "once",
  });
});

test("the use cases of one account find no other's key", async () => {
  time.set(NOON);
  const [own, other] = [await services.addAccount(), await services.addAccount()];
  const { keyId, key } = await services.addKey(other);
  const keys = services.keys.ofAccount(own as AccountId);
  const before = await services.keys.get(keyId);
  for (const attempt of [
    () => keys.get(keyId),
    () => keys.change(keyId, { name: "Mine" }),
    () => keys.rotate(keyId, 0),
    () => keys.endOverlap(keyId),
    () => keys.revoke(keyId),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "not_found", facts: { key: keyId } });
  expect(await services.keys.get(keyId)).toEqual(before);
  expect(await isKnown(key)).toBe(true);
  const { keyId: ownKey } = await services.addKey(own);
  expect(await keys.change(ownKey, { name: "Mine" })).toMatchObject({ name: "Mine" });
});

test("the last use is written beside the requests, at most once a minute over all processes", async () => {
  time.set(NOON);
  const { keyId, key } = await services.addKey(await services.addAccount());
  const [one, two] = [elsewhere(), elsewhere()];
  const lastUsed = async () => (await services.keys.get(keyId)).lastUsedAtMs;
  const use = async (...processes: (typeof one)[]) => {
    for (const keys of processes) await keys.authenticate(key);
    for (const keys of processes) await keys.writeLastUses();
  };
  await one.authenticate(key);
  expect(await lastUsed()).toBeNull();
  await one.writeLastUses();
  const first = time.clock();
  expect(await lastUsed()).toBe(first);
  time.advance(59_999);
  await use(one, two, elsewhere());
  expect(await lastUsed()).toBe(first);
  // Two note a use before either has written.
  const both = [elsewhere(), elsewhere()] as const;
  for (const keys of both) {
    time.advance(1);
    await keys.authenticate(key);
  }
  await both[0].writeLastUses();
  expect(await lastUsed()).toBe(first + 60_000);
  await both[1].writeLastUses();
  expect(await lastUsed()).toBe(first + 60_000);
});

test("a use by a former secret is one of the key, and unknown secrets leave nothing", async () => {
  time.set(NOON);
  const { keyId, key } = await services.addKey(await services.addAccount());
  await services.keys.rotate(keyId, HOUR_MS);
  const keys = elsewhere();
  await keys.authenticate(key);
  await keys.authenticate(`${key.slice(0, -1)}x`);
  await keys.writeLastUses();
  await keys.writeLastUses();
  expect(await services.keys.get(keyId)).toMatchObject({ lastUsedAtMs: time.clock() });
});

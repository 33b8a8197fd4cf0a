import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AccountId } from "../ids.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { actingAs, addPerson, addTotp, codeAt, newOrigin, signIn } from "../testing/test-people.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { FACTOR_WAIT_MS, SESSION_LIMITS, STEP_UP_MS } from "./session.ts";

const NOON = "2026-03-01T12:00:00Z";
const { idleMs, lifeMs } = SESSION_LIMITS.account;

let time: FixedClock;
let services: TestServices;
let accountId: AccountId;
beforeAll(async () => {
  time = fixedClock(NOON);
  services = await openTestServices(time.clock);
  accountId = await services.addAccount();
});
// Ends with the audit.
afterAll(() => services.dispose());

const lives = async (token: string) => (await services.people.sessions.authenticate(token)) !== null;

test("a session says who its user is, and where it was begun", async () => {
  const person = await addPerson(services, accountId, "billing");
  const { token, signedIn } = await signIn(services, person);
  expect(token).toMatch(/^[\w-]{43}$/);
  const { password, ...user } = person;
  expect(signedIn).toEqual({
    user: { userId: user.userId, email: user.email, name: user.name, createdAtMs: user.createdAtMs },
    memberships: [{ accountId, accountName: "Test account", role: "billing" }],
    operatorRole: null,
    secondFactors: [],
    session: {
      sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
      userId: user.userId,
      awaitsFactor: false,
      createdAtMs: time.clock(),
      lastSeenAtMs: time.clock(),
      endsAtMs: time.clock() + idleMs,
      factorAtMs: time.clock(),
      address: expect.any(String),
      userAgent: "A browser",
    },
  });
  expect(await services.people.sessions.authenticate(token)).toEqual(signedIn);
  expect(await services.people.sessions.authenticate(`${token}x`)).toBeNull();
  expect(await services.people.sessions.authenticate("")).toBeNull();
});

test("a session ends a day after its last use, and two weeks after its beginning", async () => {
  const person = await addPerson(services, accountId);
  const { token: unused } = await signIn(services, person);
  const { token } = await signIn(services, person);
  time.advance(idleMs - 1);
  expect(await lives(token)).toBe(true);
  time.advance(1);
  expect([await lives(unused), await lives(token)]).toEqual([false, true]);
  const [begun] = await services.people.sessions.list(person.userId);
  const endsAtMs = (begun?.createdAtMs ?? 0) + lifeMs;
  while (endsAtMs - time.clock() > idleMs) {
    time.advance(idleMs / 2);
    expect(await lives(token)).toBe(true);
  }
  const [used] = await services.people.sessions.list(person.userId);
  expect(used?.endsAtMs).toBe(endsAtMs);
  time.set(new Date(endsAtMs - 1).toISOString());
  expect(await lives(token)).toBe(true);
  time.advance(1);
  expect(await lives(token)).toBe(false);
  expect(await services.people.sessions.list(person.userId)).toEqual([]);
});

test("sessions of a member who is removed, or of a suspended account, let nobody in any more", async () => {
  const person = await addPerson(services, accountId);
  const { token } = await signIn(services, person);
  await services.accounts.suspend(accountId);
  expect(await lives(token)).toBe(false);
  await expect(signIn(services, person)).rejects.toMatchObject({ code: "sign_in_refused" });
  await services.accounts.resume(accountId);
  expect(await lives(token)).toBe(true);

  await services.people.remove(person.email, accountId);
  expect(await lives(token)).toBe(false);
  await expect(signIn(services, person)).rejects.toMatchObject({ code: "sign_in_refused" });
  await expect(services.people.remove(person.email, accountId)).rejects.toMatchObject({ code: "not_found" });
  expect(await services.people.list(accountId)).not.toContainEqual(
    expect.objectContaining({ userId: person.userId }),
  );
});

test("sessions are listed and ended one by one, all others at once, or all", async () => {
  const person = await addPerson(services, accountId);
  const stranger = await signIn(services, await addPerson(services, accountId));
  const [one, two, three] = [
    await signIn(services, person),
    await signIn(services, person),
    await signIn(services, person),
  ];
  const sessions = [three, two, one].map(({ signedIn }) => signedIn.session);
  expect(await services.people.sessions.list(person.userId)).toEqual(sessions);
  const { sessionId } = one.signedIn.session;
  const { end, endOthers } = services.people.sessions;
  await expect(end(sessionId, actingAs(stranger.signedIn.user))).rejects.toMatchObject({ code: "not_found" });
  await end(sessionId, actingAs(person));
  await expect(end(sessionId, actingAs(person))).rejects.toMatchObject({ code: "not_found" });
  expect([await lives(one.token), await lives(two.token)]).toEqual([false, true]);
  expect(await endOthers(three.signedIn.session.sessionId, actingAs(person))).toBe(1);
  expect([await lives(two.token), await lives(three.token)]).toEqual([false, true]);
  expect(await services.people.endSessions(person.email)).toBe(1);
  expect([await lives(three.token), await lives(stranger.token)]).toEqual([false, true]);
});

test("with a second factor a session waits for it, and gets a new token", async () => {
  const person = await addPerson(services, accountId);
  const { secret } = await addTotp(services, await signIn(services, person));
  const waiting = await signIn(services, person);
  expect(waiting.signedIn.session).toMatchObject({
    awaitsFactor: true,
    endsAtMs: time.clock() + FACTOR_WAIT_MS,
  });
  const give = (code: string) =>
    services.people.sessions.giveFactor(waiting.signedIn, { kind: "totp", code }, newOrigin());
  await expect(give("000000")).rejects.toMatchObject({ code: "wrong_code" });
  const code = codeAt(secret, time.clock());
  await expect(
    services.people.sessions.stepUp(waiting.signedIn, { kind: "totp", code }, newOrigin()),
  ).rejects.toMatchObject({ code: "wrong_code" });
  const { token, signedIn } = await give(code);
  expect(signedIn.session).toMatchObject({ awaitsFactor: false, endsAtMs: time.clock() + idleMs });
  expect([await lives(waiting.token), await lives(token)]).toEqual([false, true]);

  const late = await signIn(services, person);
  time.advance(FACTOR_WAIT_MS);
  expect(await lives(late.token)).toBe(false);
});

test("a step-up counts for ten minutes, and is by the second factor where there is one", async () => {
  const { requireRecentFactor, stepUp } = services.people.sessions;
  const person = await addPerson(services, accountId);
  const { token } = await signIn(services, person);
  const current = async () => {
    const signedIn = await services.people.sessions.authenticate(token);
    if (signedIn === null) throw new Error("The session has ended.");
    return signedIn;
  };
  const password = { kind: "password", password: person.password } as const;
  time.advance(STEP_UP_MS - 1);
  requireRecentFactor(await current());
  time.advance(1);
  const signedIn = await current();
  expect(() => requireRecentFactor(signedIn)).toThrow(expect.objectContaining({ code: "step_up_required" }));
  await expect(stepUp(signedIn, { ...password, password: "not theirs" }, newOrigin())).rejects.toMatchObject({
    code: "wrong_code",
  });
  await stepUp(signedIn, password, newOrigin());
  requireRecentFactor(await current());

  const { secret, recoveryCodes } = await addTotp(services, { token, signedIn: await current() });
  await expect(stepUp(await current(), password, newOrigin())).rejects.toMatchObject({ code: "wrong_code" });
  time.advance(STEP_UP_MS);
  await stepUp(await current(), { kind: "totp", code: codeAt(secret, time.clock()) }, newOrigin());
  requireRecentFactor(await current());
  time.advance(STEP_UP_MS);
  await stepUp(await current(), { kind: "recovery_code", code: recoveryCodes[0] ?? "" }, newOrigin());
  requireRecentFactor(await current());
});

test("another password ends the other sessions, and the present one must be known", async () => {
  const person = await addPerson(services, accountId);
  const [one, other] = [await signIn(services, person), await signIn(services, person)];
  const { sessionId } = one.signedIn.session;
  const change = { to: "another password", by: actingAs(person), sessionId };
  const { changePassword } = services.people;
  await expect(changePassword({ ...change, from: "not theirs" })).rejects.toMatchObject({
    facts: { field: "currentPassword" },
  });
  await expect(changePassword({ ...change, from: person.password, to: "short" })).rejects.toMatchObject({
    facts: { field: "newPassword" },
  });
  await changePassword({ ...change, from: person.password });
  expect([await lives(one.token), await lives(other.token)]).toEqual([true, false]);
  await expect(signIn(services, person)).rejects.toMatchObject({ code: "sign_in_refused" });
  await signIn(services, { ...person, password: change.to });
});

test("of sign-ins and a reset at once no session is left that began with the old password", async () => {
  const person = await addPerson(services, accountId);
  const begun = Promise.allSettled(Array.from({ length: 6 }, () => signIn(services, person)));
  await services.people.invitations.reset(person.email);
  for (const outcome of await begun)
    if (outcome.status === "fulfilled") expect(await lives(outcome.value.token)).toBe(false);
  expect(await services.people.sessions.list(person.userId)).toEqual([]);
});

test("unknown people, wrong passwords and people of no account are answered alike, after the same work", async () => {
  const person = await addPerson(services, accountId);
  const removed = await addPerson(services, accountId);
  await services.people.remove(removed.email, accountId);
  const refusals = [];
  for (const [email, password] of [
    [`${randomUUID()}@buyer.example`, person.password],
    [person.email, "not their password"],
    [removed.email, removed.password],
    ["no e-mail at all", ""],
  ] as const) {
    const error = await signIn(services, { email, password }).catch((reason: unknown) => reason);
    const { code, message, facts } = error as { code: string; message: string; facts: object };
    refusals.push({ code, message, facts });
  }
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  expect(refusals[0]).toMatchObject({ code: "sign_in_refused", facts: {} });
});

test("ten wrong attempts slow down the address and the person, known or not, and nobody else", async () => {
  const { signIn: begin } = services.people.sessions;
  const [person, other] = [await addPerson(services, accountId), await addPerson(services, accountId)];
  const origin = newOrigin();
  const wrong = (email: string, from = origin) => begin({ email, password: "wrong", ...from });
  const attempts = Array.from({ length: 12 }, () => wrong(person.email).catch(({ code }) => code));
  const codes = await Promise.all(attempts);
  expect(codes.filter((code) => code === "sign_in_refused")).toHaveLength(10);
  expect(codes.filter((code) => code === "too_many_attempts")).toHaveLength(2);

  const refusal = { code: "too_many_attempts", retryAfterSeconds: expect.any(Number) };
  await expect(begin({ ...other, ...origin })).rejects.toMatchObject(refusal);
  await expect(begin({ ...person, ...newOrigin() })).rejects.toMatchObject(refusal);
  await expect(begin({ ...person, email: person.email.toUpperCase(), ...newOrigin() })).rejects.toMatchObject(
    refusal,
  );
  await begin({ ...other, ...newOrigin() });
  const unknown = `${randomUUID()}@buyer.example`;
  for (let count = 0; count < 10; count += 1)
    await expect(wrong(unknown, newOrigin())).rejects.toMatchObject({ code: "sign_in_refused" });
  await expect(wrong(unknown, newOrigin())).rejects.toMatchObject(refusal);
});

test("right attempts do not count, nor those of which the service does not know what they were", async () => {
  const person = await addPerson(services, accountId);
  const origin = newOrigin();
  const attempt = (password = person.password) =>
    services.people.sessions.signIn({ email: person.email, password, ...origin });
  for (let count = 0; count < 9; count += 1) await attempt("wrong").catch(() => {});
  for (let count = 0; count < 3; count += 1) await attempt();
  const broken = vi.spyOn(services.database, "rows").mockRejectedValue(new Error("The database is away."));
  for (let count = 0; count < 3; count += 1) await expect(attempt()).rejects.toThrow("away");
  broken.mockRestore();
  await attempt();
});

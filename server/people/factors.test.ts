import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { actingAs, addPerson, addTotp, codeAt, signIn, TOTP_STEP_MS } from "../testing/test-people.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import type { NewSession } from "./sessions.ts";

let time: FixedClock;
let services: TestServices;
let accountId: AccountId;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  services = await openTestServices(time.clock);
  accountId = await services.addAccount();
});
// Ends with the audit.
afterAll(() => services.dispose());

const newSession = async (): Promise<NewSession> => signIn(services, await addPerson(services, accountId));

test("an app's secret is a factor when its first code is given, which ends the other sessions", async () => {
  const person = await addPerson(services, accountId);
  const [session, other] = [await signIn(services, person), await signIn(services, person)];
  const { userId } = person;
  const { factors, sessions } = services.people;
  expect(await factors.ofUser(userId)).toEqual({ hasTotp: false, hasPasskeys: false, recoveryCodesLeft: 0 });
  const replaced = await factors.begin(person);
  const { secret, uri } = await factors.begin(person);
  const label = encodeURIComponent(person.email);
  expect(uri).toMatch(new RegExp(`^otpauth://totp/Prepaid%20code%20shop:${label}\\?`));
  expect(Object.fromEntries(new URL(uri).searchParams)).toMatchObject({ secret, digits: "6", period: "30" });
  expect(await factors.ofUser(userId)).toMatchObject({ hasTotp: false });
  expect(await factors.proveByTotp(userId, codeAt(secret, time.clock()))).toBe(false);

  const confirm = (code: string) =>
    factors.confirm(code, session.signedIn.session.sessionId, actingAs(person));
  await expect(confirm(codeAt(replaced.secret, time.clock()))).rejects.toMatchObject({ code: "wrong_code" });
  await expect(confirm("no code")).rejects.toMatchObject({ code: "wrong_code" });
  const recoveryCodes = await confirm(codeAt(secret, time.clock()));
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(recoveryCodes[0]).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  expect(await factors.ofUser(userId)).toEqual({ hasTotp: true, hasPasskeys: false, recoveryCodesLeft: 10 });
  expect(await sessions.authenticate(session.token)).not.toBeNull();
  expect(await sessions.authenticate(other.token)).toBeNull();
  await expect(confirm(codeAt(secret, time.clock()))).rejects.toMatchObject({ code: "second_factor" });
  await expect(factors.begin(person)).rejects.toMatchObject({ facts: { hasSecondFactor: true } });
});

test("a code is good for its step and those beside it, once, and none that is older than one that was used", async () => {
  const session = await newSession();
  const { userId } = session.signedIn.user;
  const start = time.clock();
  const { secret } = await addTotp(services, session);
  const at = (steps: number) => codeAt(secret, start + steps * TOTP_STEP_MS);
  const { proveByTotp } = services.people.factors;
  expect(await proveByTotp(userId, at(-1))).toBe(false);
  expect(await proveByTotp(userId, at(2))).toBe(false);
  expect(await proveByTotp(userId, at(1))).toBe(true);
  expect(await proveByTotp(userId, at(1))).toBe(false);
  expect(await proveByTotp(userId, at(0))).toBe(false);
  time.advance(2 * TOTP_STEP_MS);
  expect(await proveByTotp((await newSession()).signedIn.user.userId, at(2))).toBe(false);
  const attempts = Array.from({ length: 5 }, () => proveByTotp(userId, at(2)));
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
});

test("a recovery code is good once, also for several at the same moment, however it is written", async () => {
  const session = await newSession();
  const { userId } = session.signedIn.user;
  const { recoveryCodes } = await addTotp(services, session);
  const { proveByRecoveryCode, ofUser, renewRecoveryCodes } = services.people.factors;
  const [first = "", second = "", third = ""] = recoveryCodes;
  const attempts = Array.from({ length: 5 }, () => proveByRecoveryCode(userId, first));
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
  expect(await proveByRecoveryCode(userId, second.toUpperCase().replaceAll("-", " "))).toBe(true);
  expect(await proveByRecoveryCode((await newSession()).signedIn.user.userId, third)).toBe(false);
  expect(await ofUser(userId)).toMatchObject({ recoveryCodesLeft: 8 });

  const renewed = await renewRecoveryCodes(actingAs(session.signedIn.user));
  expect(await ofUser(userId)).toMatchObject({ recoveryCodesLeft: 10 });
  expect(await proveByRecoveryCode(userId, third)).toBe(false);
  expect(await proveByRecoveryCode(userId, renewed[0] ?? "")).toBe(true);
});

test("of two confirmations at the same moment one makes the factor, whose recovery codes hold", async () => {
  const session = await newSession();
  const { user, session: own } = session.signedIn;
  const { begin, confirm, proveByRecoveryCode } = services.people.factors;
  const { secret } = await begin(user);
  const code = codeAt(secret, time.clock());
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => confirm(code, own.sessionId, actingAs(user))),
  );
  const [codes, ...more] = outcomes.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
  expect(more).toEqual([]);
  for (const recoveryCode of codes ?? [])
    expect(await proveByRecoveryCode(user.userId, recoveryCode)).toBe(true);
});

test("a factor that is removed takes its recovery codes along", async () => {
  const session = await newSession();
  const { userId } = session.signedIn.user;
  const { secret, recoveryCodes } = await addTotp(services, session);
  const { factors } = services.people;
  await factors.remove(actingAs(session.signedIn.user));
  expect(await factors.ofUser(userId)).toEqual({ hasTotp: false, hasPasskeys: false, recoveryCodesLeft: 0 });
  expect(await factors.proveByTotp(userId, codeAt(secret, time.clock()))).toBe(false);
  expect(await factors.proveByRecoveryCode(userId, recoveryCodes[0] ?? "")).toBe(false);
  await expect(factors.renewRecoveryCodes(actingAs(session.signedIn.user))).rejects.toMatchObject({
    code: "second_factor",
  });
});

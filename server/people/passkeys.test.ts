import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from "../testing/software-authenticator.ts";
import {
  actingAs,
  addPasskey,
  addPerson,
  addTotp,
  newOrigin,
  signIn,
  TEST_ORIGIN,
} from "../testing/test-people.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { MAX_BEGINNINGS } from "./attempts.ts";
import { CHALLENGE_MS, MAX_PASSKEYS } from "./passkey.ts";
import { toUserHandle } from "./passkey-verification.ts";
import { STEP_UP_MS } from "./session.ts";
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

const newPerson = async () => {
  const person = await addPerson(services, accountId);
  return { person, session: await signIn(services, person) };
};
const lives = async ({ token }: NewSession) => (await services.people.sessions.authenticate(token)) !== null;
const challengeToSignIn = async () =>
  (await services.people.passkeys.beginSignIn(newOrigin().address)).challenge;

/** Signs a challenge of its own unless one is given, and signs in with it. */
async function signInWith(
  authenticator: SoftwareAuthenticator,
  {
    origin = TEST_ORIGIN,
    challenge = "",
    ...by
  }: { origin?: string; host?: string; challenge?: string; verifiesUser?: boolean } = {},
  userHandle: string | null = null,
): Promise<NewSession> {
  const asked = { ...by, origin, challenge: challenge || (await challengeToSignIn()) };
  return services.people.sessions.signInByPasskey(authenticator.sign(asked, userHandle), newOrigin());
}

const REFUSED = { code: "sign_in_refused" };

test("the first passkey brings recovery codes and ends other sessions; a second does neither", async () => {
  const { person, session } = await newPerson();
  const other = await signIn(services, person);
  const { passkey, recoveryCodes } = await addPasskey(services, session, { name: "Laptop" });
  expect(passkey).toEqual({
    passkeyId: expect.stringMatching(/^psk_[0-9a-f]{32}$/),
    userId: person.userId,
    name: "Laptop",
    createdAtMs: time.clock(),
    lastUsedAtMs: null,
  });
  expect(new Set(recoveryCodes).size).toBe(10);
  expect([await lives(session), await lives(other)]).toEqual([true, false]);
  const another = await addPasskey(services, session, { name: "Phone" });
  expect(another.recoveryCodes).toBeNull();
  expect((await services.people.passkeys.list(person.userId)).map(({ name }) => name)).toEqual([
    "Phone",
    "Laptop",
  ]);
  expect(await services.people.factors.ofUser(person.userId)).toEqual({
    hasTotp: false,
    hasPasskeys: true,
    recoveryCodesLeft: 10,
  });
  const [member] = (await services.people.list(accountId)).filter(({ userId }) => userId === person.userId);
  expect(member?.hasSecondFactor).toBe(true);
});

test("a passkey signs in alone, and a password waits for it", async () => {
  const { person, session } = await newPerson();
  const { authenticator, passkey, recoveryCodes } = await addPasskey(services, session);
  const begun = await signInWith(authenticator, {}, toUserHandle(person.userId));
  expect(begun.signedIn).toMatchObject({
    user: { userId: person.userId },
    session: { awaitsFactor: false, factorAtMs: time.clock() },
    secondFactors: ["passkey"],
  });
  expect(await lives(begun)).toBe(true);
  const [used] = await services.people.passkeys.list(person.userId);
  expect(used?.lastUsedAtMs).toBe(time.clock());
  const { entries } = await services.activity.page(accountId, { limit: 1 });
  expect(entries[0]).toMatchObject({
    action: "signed_in",
    targetId: passkey.passkeyId,
    targetName: "Laptop",
  });

  const waiting = await signIn(services, person);
  expect(waiting.signedIn.session.awaitsFactor).toBe(true);
  const code = recoveryCodes?.[0] ?? "";
  await services.people.sessions.giveFactor(waiting.signedIn, { kind: "recovery_code", code }, newOrigin());
});

test("a signature for another site, without looking who the person is, or by somebody else is refused", async () => {
  const { session } = await newPerson();
  const { person: stranger } = await newPerson();
  const { authenticator } = await addPasskey(services, session);
  for (const by of [
    { origin: "http://localhost:8081" },
    { origin: "http://shop.example:8080" },
    { host: "shop.example" },
    { verifiesUser: false },
    { challenge: "a-challenge-that-nobody-made" },
  ])
    await expect(signInWith(authenticator, by)).rejects.toMatchObject(REFUSED);
  await expect(signInWith(authenticator, {}, toUserHandle(stranger.userId))).rejects.toMatchObject(REFUSED);
  await expect(signInWith(createSoftwareAuthenticator())).rejects.toMatchObject(REFUSED);
  const forged = {
    ...createSoftwareAuthenticator().sign({ origin: TEST_ORIGIN, challenge: await challengeToSignIn() }),
  };
  await expect(
    services.people.sessions.signInByPasskey(
      { ...forged, credentialId: authenticator.credentialId },
      newOrigin(),
    ),
  ).rejects.toMatchObject(REFUSED);
  const torn = { ...forged, clientDataJSON: "bm8", signature: "bm8" };
  await expect(services.people.sessions.signInByPasskey(torn, newOrigin())).rejects.toMatchObject(REFUSED);
  await signInWith(authenticator);
});

test("a challenge is good once, for five minutes, and for what it was made", async () => {
  const { session } = await newPerson();
  const { authenticator } = await addPasskey(services, session);
  const challenge = await challengeToSignIn();
  await signInWith(authenticator, { challenge });
  await expect(signInWith(authenticator, { challenge })).rejects.toMatchObject(REFUSED);
  const both = await challengeToSignIn();
  const proofs = [1, 2].map(() => authenticator.sign({ origin: TEST_ORIGIN, challenge: both }));
  const raced = await Promise.allSettled(
    proofs.map((proof) => services.people.sessions.signInByPasskey(proof, newOrigin())),
  );
  expect(raced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const late = await challengeToSignIn();
  time.advance(CHALLENGE_MS);
  await expect(signInWith(authenticator, { challenge: late })).rejects.toMatchObject(REFUSED);
  const { challenge: toStepUp } = await services.people.passkeys.beginStepUp(session.signedIn.session);
  await expect(signInWith(authenticator, { challenge: toStepUp })).rejects.toMatchObject(REFUSED);
  const { challenge: replaced } = await services.people.passkeys.beginAdding(session.signedIn.session);
  await services.people.passkeys.beginAdding(session.signedIn.session);
  const made = createSoftwareAuthenticator().make({ challenge: replaced, origin: TEST_ORIGIN });
  await expect(add(session, made)).rejects.toMatchObject({ code: "passkey_refused" });
});

test("a copy of a passkey that counts is refused; one that does not count signs again and again", async () => {
  const { session } = await newPerson();
  const { authenticator } = await addPasskey(services, session);
  await signInWith(authenticator);
  authenticator.signCount = 0;
  await expect(signInWith(authenticator)).rejects.toMatchObject(REFUSED);
  await signInWith(authenticator);
  const plain = await addPasskey(services, session, { authenticator: createSoftwareAuthenticator(false) });
  await signInWith(plain.authenticator);
  await signInWith(plain.authenticator);
});

test("a passkey that is removed, and one of a suspended account, sign nobody in", async () => {
  const { person, session } = await newPerson();
  const { authenticator, passkey } = await addPasskey(services, session);
  await services.accounts.suspend(accountId);
  await expect(signInWith(authenticator)).rejects.toMatchObject(REFUSED);
  await services.accounts.resume(accountId);
  await signInWith(authenticator);
  const { person: stranger } = await newPerson();
  const { remove } = services.people.passkeys;
  await expect(remove(passkey.passkeyId, actingAs(stranger))).rejects.toMatchObject({ code: "not_found" });
  await remove(passkey.passkeyId, actingAs(person));
  await expect(remove(passkey.passkeyId, actingAs(person))).rejects.toMatchObject({ code: "not_found" });
  await expect(signInWith(authenticator)).rejects.toMatchObject(REFUSED);
  expect(await services.people.factors.ofUser(person.userId)).toEqual({
    hasTotp: false,
    hasPasskeys: false,
    recoveryCodesLeft: 0,
  });
  expect((await signIn(services, person)).signedIn.session.awaitsFactor).toBe(false);
});

test("recovery codes stay as long as there is a second factor, and a reset takes all", async () => {
  const { person, session } = await newPerson();
  await addTotp(services, session);
  const { passkey, authenticator, recoveryCodes } = await addPasskey(services, session);
  expect(recoveryCodes).toBeNull();
  expect((await signIn(services, person)).signedIn.secondFactors).toEqual(["totp", "passkey"]);
  await services.people.factors.remove(actingAs(person));
  expect(await services.people.factors.ofUser(person.userId)).toMatchObject({ recoveryCodesLeft: 10 });
  expect(await services.people.factors.renewRecoveryCodes(actingAs(person))).toHaveLength(10);
  await services.people.invitations.reset(person.email);
  await expect(signInWith(authenticator)).rejects.toMatchObject(REFUSED);
  await expect(services.people.passkeys.remove(passkey.passkeyId, actingAs(person))).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a step-up is by a passkey of the user, for a challenge of the session", async () => {
  const { person, session } = await newPerson();
  const { authenticator } = await addPasskey(services, session);
  const { session: strange } = await newPerson();
  const foreign = await addPasskey(services, strange);
  const { beginStepUp } = services.people.passkeys;
  const { requireRecentFactor, stepUp, stepUpByPasskey } = services.people.sessions;
  time.advance(STEP_UP_MS);
  const stepUpWith = async (by: SoftwareAuthenticator, of = session) => {
    const { challenge } = await beginStepUp(of.signedIn.session);
    return stepUpByPasskey(session.signedIn, by.sign({ challenge, origin: TEST_ORIGIN }), newOrigin());
  };
  expect((await beginStepUp(session.signedIn.session)).allowedCredentials).toEqual([
    authenticator.credentialId,
  ]);
  const refused = { code: "passkey_refused" };
  await expect(stepUpWith(foreign.authenticator)).rejects.toMatchObject(refused);
  await expect(stepUpWith(authenticator, strange)).rejects.toMatchObject(refused);
  const password = { kind: "password", password: person.password } as const;
  await expect(stepUp(session.signedIn, password, newOrigin())).rejects.toMatchObject({ code: "wrong_code" });
  expect(() => requireRecentFactor(session.signedIn)).toThrow(/Confirm first/);
  requireRecentFactor(await stepUpWith(authenticator));
  const asked = await services.people.sessions.authenticate(session.token);
  expect(asked?.session.factorAtMs).toBe(time.clock());
});

test("a passkey is made for the challenge of its session, once, and by its owner alone", async () => {
  const { person, session } = await newPerson();
  const { session: strange } = await newPerson();
  const { beginAdding } = services.people.passkeys;
  const refused = { code: "passkey_refused" };
  const make = async (by: { origin?: string; verifiesUser?: boolean } = {}, of = session) => {
    const { challenge } = await beginAdding(of.signedIn.session);
    return createSoftwareAuthenticator().make({ origin: TEST_ORIGIN, ...by, challenge });
  };
  await expect(add(session, await make({}, strange))).rejects.toMatchObject(refused);
  await expect(add(session, await make({ verifiesUser: false }))).rejects.toMatchObject(refused);
  await expect(add(session, await make({ origin: "https://shop.example" }))).rejects.toMatchObject(refused);
  const made = await make();
  await expect(add(session, { ...made, credentialId: "b3RoZXI" })).rejects.toMatchObject(refused);
  await expect(add(session, { ...made, attestationObject: "b3RoZXI" })).rejects.toMatchObject(refused);
  await expect(add(session, made, " ")).rejects.toMatchObject({ code: "invalid_input" });
  await add(session, made);
  await expect(add(session, made)).rejects.toMatchObject(refused);

  const authenticator = createSoftwareAuthenticator();
  const asked = await addPasskey(services, strange, { authenticator });
  await expect(addPasskey(services, session, { authenticator })).rejects.toMatchObject({
    code: "passkey_exists",
  });
  const { rename } = services.people.passkeys;
  const { passkeyId } = asked.passkey;
  await expect(rename(passkeyId, "Mine", actingAs(person))).rejects.toMatchObject({ code: "not_found" });
  const owner = actingAs(strange.signedIn.user);
  await expect(rename(passkeyId, "", owner)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await rename(passkeyId, "Desk", owner)).toMatchObject({ name: "Desk" });
  expect(await rename(passkeyId, "Desk", owner)).toMatchObject({ name: "Desk" });
});

test("a person has at most twenty passkeys", async () => {
  const { session } = await newPerson();
  const { authenticator } = await addPasskey(services, session);
  const other = await signInWith(authenticator);
  const { challenge } = await services.people.passkeys.beginAdding(other.signedIn.session);
  const made = createSoftwareAuthenticator().make({ challenge, origin: TEST_ORIGIN });
  for (let count = 1; count < MAX_PASSKEYS; count += 1) await addPasskey(services, session);
  const tooMany = { code: "too_many_passkeys" };
  await expect(addPasskey(services, session)).rejects.toMatchObject(tooMany);
  await expect(add(other, made)).rejects.toMatchObject(tooMany);
});

test("challenges are counted by network, and forgotten when they are over", async () => {
  const { address } = newOrigin();
  const { beginSignIn } = services.people.passkeys;
  for (let count = 0; count < MAX_BEGINNINGS; count += 1) await beginSignIn(address);
  await expect(beginSignIn(address)).rejects.toMatchObject({ code: "too_many_attempts" });
  time.advance(CHALLENGE_MS);
  await beginSignIn(newOrigin().address);
  await beginSignIn(newOrigin().address);
  const [row] = await services.database.rows<{ count: bigint }>(
    "SELECT COUNT(*) AS count FROM passkey_challenges WHERE expires_at_ms <= ?",
    [time.clock()],
  );
  expect(Number(row?.count)).toBe(0);
});

test("wrong signatures are slowed down", async () => {
  const [unknown, origin] = [createSoftwareAuthenticator(), newOrigin()];
  const attempt = async () => {
    const proof = unknown.sign({ origin: TEST_ORIGIN, challenge: await challengeToSignIn() });
    return services.people.sessions.signInByPasskey(proof, origin);
  };
  for (let count = 0; count < 10; count += 1) await expect(attempt()).rejects.toMatchObject(REFUSED);
  await expect(attempt()).rejects.toMatchObject({ code: "too_many_attempts" });
});

const add = (
  { signedIn: { user, session } }: NewSession,
  made: ReturnType<SoftwareAuthenticator["make"]>,
  name = "Phone",
) => services.people.passkeys.add({ name, made, sessionId: session.sessionId, by: actingAs(user) });

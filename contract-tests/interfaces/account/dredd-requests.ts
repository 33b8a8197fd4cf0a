import type { AccountId } from "../../../server/ids.ts";
import { MAX_BEGINNINGS } from "../../../server/people/attempts.ts";
import { type ChallengePurpose, MAX_PASSKEYS } from "../../../server/people/passkey.ts";
import { putChallenge } from "../../../server/people/passkey-store.ts";
import type { Role } from "../../../server/people/person.ts";
import type { NewSession } from "../../../server/people/sessions.ts";
import { newToken } from "../../../server/people/token.ts";
import { createSoftwareAuthenticator } from "../../../server/testing/software-authenticator.ts";
import {
  addPasskey,
  addPerson,
  addTotp,
  newOrigin,
  signIn,
  tokenOf,
} from "../../../server/testing/test-people.ts";
import type { TestServices } from "../../../server/testing/test-shop.ts";
import { openContract } from "../../contract.ts";
import { type LiveShop, PUBLIC_URL } from "../../dredd/live-shop.ts";
import type { RequestParts, Requests } from "../../dredd/requests.ts";

type Parts = Readonly<Record<string, Partial<RequestParts>>>;

const NO_SUCH_KEY = "key_01938c8e6f2b7c3e9a4d5f6071829399";
/** So many wrong attempts are free. */
const FREE_ATTEMPTS = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
const WRONG_PASSWORD = "not theirs at all";

/** A request from a page of another site, as its browser says it. */
const crossSite = { headers: { "sec-fetch-site": "cross-site" } };
/** A request from a network that has guessed too often, as the proxy in front of the service says it. */
const fromGuessers = { headers: { "x-forwarded-for": "198.51.100.9" } };

/** Fills the shop with people, and says whose session each request of the account center brings. */
export async function dreddRequests({ url, services }: LiveShop): Promise<Requests> {
  const accountId = await services.addAccount();
  await guess(url);
  const keys = await ofKeys(services, accountId);
  const money = await ofOrdersAndMoney(services, accountId);
  const members = await ofMembers(services);
  const figures = await ofFigures(services, accountId);
  const people = await ofPeople(services, accountId);
  const factors = await ofFactors(services, accountId);
  const passkeys = await ofPasskeys(services, accountId);
  return {
    credential: await sessionOf(services, accountId),
    exhausted: null,
    usual: {
      ...people.usual,
      ...factors.usual,
      ...passkeys.usual,
      ...keys.usual,
      ...money.usual,
      ...members.usual,
      ...figures.usual,
    },
    changes: {
      ...crossSiteChanges(),
      ...{
        ...people.changes,
        ...factors.changes,
        ...passkeys.changes,
        ...keys.changes,
        ...money.changes,
        ...members.changes,
        ...figures.changes,
      },
    },
  };
}

/** Makes as many wrong attempts as are free, and begins as many: the service counts them in its own process. */
async function guess(url: string): Promise<void> {
  const { basePath, operations } = openContract("account");
  const { browserHeaders = {} } = operations.find(({ operationId }) => operationId === "signIn") ?? {};
  const post = (path: string, body?: object) =>
    fetch(`${url}${basePath}${path}`, {
      method: "POST",
      headers: { ...browserHeaders, ...fromGuessers.headers, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  for (let attempt = 0; attempt < FREE_ATTEMPTS; attempt += 1)
    await post("/session", { email: `guess-${attempt}@buyer.example`, password: WRONG_PASSWORD });
  for (let count = 0; count < MAX_BEGINNINGS; count += 1) await post("/session/passkey/challenge");
}

/** Whatever may change something is refused from elsewhere. */
function crossSiteChanges(): Parts {
  const unsafe = openContract("account").operations.filter(({ method }) => method !== "GET");
  return Object.fromEntries(unsafe.map(({ operationId }) => [`${operationId} 403`, crossSite]));
}

async function sessionOf(services: TestServices, accountId: AccountId, role: Role = "owner") {
  return (await signIn(services, await addPerson(services, accountId, role))).token;
}

async function invited(
  services: TestServices,
  accountId: AccountId,
  email = `${newOrigin().address}@b.example`,
) {
  return tokenOf((await services.people.invitations.invite(email, accountId, "owner")).link);
}

/** Signing in and out, invitations, and who is signed in. */
async function ofPeople(
  services: TestServices,
  accountId: AccountId,
): Promise<{ usual: Parts; changes: Parts }> {
  const person = await addPerson(services, accountId);
  const { email, password } = person;
  const asPerson = { credential: (await signIn(services, person)).token };
  const waiting = await personWithTotp(services, accountId);
  const awaiting = { credential: (await signIn(services, waiting.person)).token };
  return {
    usual: {
      signIn: { body: { email, password } },
      signOut: { credential: await sessionOf(services, accountId) },
      giveFactor: {
        credential: (await signIn(services, waiting.person)).token,
        body: { kind: "recovery_code", value: waiting.recoveryCodes[0] ?? "" },
      },
      stepUp: { ...asPerson, body: { kind: "password", value: password } },
      showInvitation: { body: { token: await invited(services, accountId) } },
      acceptInvitation: { body: { token: await invited(services, accountId), password, name: "Ada" } },
      endOtherSessions: { credential: await sessionOf(services, accountId) },
      endSession: await ownSession(services, accountId),
      getOverview: { path: { accountId } },
    },
    changes: {
      "signIn 400": { body: { email: "a" } },
      "signIn 401": { body: { password: WRONG_PASSWORD } },
      "signIn 429": fromGuessers,
      "giveFactor 400": { ...awaiting, body: { kind: "guess" } },
      "giveFactor 429": { ...awaiting, ...fromGuessers },
      "stepUp 400": { body: { kind: "guess" } },
      "stepUp 429": fromGuessers,
      "showInvitation 400": { body: { token: "" } },
      "showInvitation 410": { body: { token: "none" } },
      "acceptInvitation 400": { body: { token: await invited(services, accountId), password: "short" } },
      "acceptInvitation 401": {
        body: { token: await invited(services, accountId, email), password: WRONG_PASSWORD },
      },
      "acceptInvitation 409": { body: await demotion(services) },
      "acceptInvitation 410": { body: { token: "none" } },
      "acceptInvitation 429": {
        body: { token: await invited(services, await services.addAccount(), email) },
        ...fromGuessers,
      },
      "listSessions 403": awaiting,
      "getSecurity 403": awaiting,
      "getOverview 403": awaiting,
      "getOverview 404": { path: { accountId: await services.addAccount() } },
    },
  };
}

/** How the only owner of an account would become something else. */
async function demotion(services: TestServices) {
  const accountId = await services.addAccount();
  const { email, password } = await addPerson(services, accountId);
  const { link } = await services.people.invitations.invite(email, accountId, "billing");
  return { token: tokenOf(link), password };
}

/** Passwords and second factors. */
async function ofFactors(
  services: TestServices,
  accountId: AccountId,
): Promise<{ usual: Parts; changes: Parts }> {
  const withTotp = { credential: (await personWithTotp(services, accountId)).steppedUp };
  const confirming = await signIn(services, await addPerson(services, accountId));
  const { secret } = await services.people.factors.begin(confirming.signedIn.user);
  return {
    usual: {
      changePassword: await passwordChange(services, accountId),
      beginTotp: { credential: await sessionOf(services, accountId) },
      confirmTotp: { credential: confirming.token, totpSecret: secret },
      removeTotp: { credential: await sessionOf(services, accountId) },
      renewRecoveryCodes: withTotp,
    },
    changes: {
      "changePassword 400": { body: { newPassword: "short" } },
      "changePassword 429": fromGuessers,
      "beginTotp 409": withTotp,
      "confirmTotp 400": { body: { code: "none" }, totpSecret: null },
      "confirmTotp 409": { credential: await sessionOf(services, accountId) },
      "renewRecoveryCodes 409": { credential: await sessionOf(services, accountId) },
    },
  };
}

/** Passkeys, whose challenges last as long as requests may take. */
async function ofPasskeys(
  services: TestServices,
  accountId: AccountId,
): Promise<{ usual: Parts; changes: Parts }> {
  const session = async () => signIn(services, await addPerson(services, accountId));
  const [own, adding, again, full] = [await session(), await session(), await session(), await session()];
  const { authenticator, passkey } = await addPasskey(services, own);
  const removed = await addPasskey(services, own, { name: "Phone" });
  const as = ({ token: credential }: NewSession) => ({ credential });
  for (let count = 0; count < MAX_PASSKEYS; count += 1) await addPasskey(services, full);
  return {
    usual: {
      signInByPasskey: { body: authenticator.sign(await challenge(services, "sign_in", null)) },
      beginPasskeyStepUp: as(own),
      stepUpByPasskey: { ...as(own), body: authenticator.sign(await challenge(services, "step_up", own)) },
      listPasskeys: as(own),
      beginPasskey: { credential: await sessionOf(services, accountId) },
      addPasskey: { ...as(adding), body: await newPasskey(services, adding) },
      renamePasskey: { ...as(own), path: { passkeyId: passkey.passkeyId } },
      removePasskey: { ...as(own), path: { passkeyId: removed.passkey.passkeyId } },
    },
    changes: {
      "beginPasskeySignIn 429": fromGuessers,
      "signInByPasskey 400": { body: { credentialId: "!" } },
      "signInByPasskey 401": { body: { credentialId: "bm9uZQ" } },
      "signInByPasskey 429": fromGuessers,
      "stepUpByPasskey 400": { body: { credentialId: "!" } },
      "stepUpByPasskey 429": fromGuessers,
      "listPasskeys 403": {
        credential: (await signIn(services, (await personWithTotp(services, accountId)).person)).token,
      },
      "beginPasskey 409": as(full),
      "addPasskey 400": { body: { name: "" } },
      "addPasskey 409": { ...as(again), body: await newPasskey(services, again, authenticator) },
      "renamePasskey 400": { body: { name: "" } },
    },
  };
}

async function newPasskey(
  services: TestServices,
  session: NewSession,
  authenticator = createSoftwareAuthenticator(),
) {
  return { name: "Work laptop", ...authenticator.make(await challenge(services, "add", session)) };
}

/** A challenge that lasts, and the page that it is signed on. */
async function challenge(services: TestServices, purpose: ChallengePurpose, of: NewSession | null) {
  const made = newToken();
  const sessionId = of?.signedIn.session.sessionId ?? null;
  const times = { nowMs: 0, expiresAtMs: services.clock() + DAY_MS };
  await putChallenge(services.database, { challenge: made, purpose, sessionId }, times);
  return { challenge: made, origin: PUBLIC_URL };
}

async function ofKeys(
  services: TestServices,
  accountId: AccountId,
): Promise<{ usual: Parts; changes: Parts }> {
  const key = async () => ({ path: { accountId, keyId: (await services.addKey(accountId)).keyId } });
  const billing = { credential: await sessionOf(services, accountId, "billing") };
  const made = (idempotencyKey: string) => ({ headers: { "Idempotency-Key": idempotencyKey } });
  await services.keys.create({ accountId, kind: "general", idempotencyKey: "dredd-exists" });
  const ended = await key();
  await services.keys.revoke(ended.path.keyId);
  return {
    usual: {
      listKeys: { path: { accountId } },
      createKey: { path: { accountId }, ...made("dredd-made") },
      getKey: await key(),
      changeKey: await key(),
      revokeKey: await key(),
      rotateKey: await key(),
      endKeyOverlap: await key(),
    },
    changes: {
      "listKeys 403": billing,
      "createKey 400": { body: { kind: "none" } },
      "createKey 403": { headers: { ...made("dredd-cross-site").headers, ...crossSite.headers } },
      "createKey 404": { path: { accountId: await services.addAccount() } },
      "createKey 409": made("dredd-exists"),
      "getKey 403": billing,
      "changeKey 400": { body: { orderCap: "0.00" } },
      "changeKey 404": { path: { accountId, keyId: NO_SUCH_KEY } },
      "rotateKey 400": { body: { overlapSeconds: -1 } },
      "rotateKey 409": ended,
    },
  };
}

/** Of an account that has one owner. */
async function ofMembers(services: TestServices): Promise<{ usual: Parts; changes: Parts }> {
  const accountId = await services.addAccount();
  const [owner, member] = [
    await addPerson(services, accountId),
    await addPerson(services, accountId, "billing"),
  ];
  const asOwner = { credential: (await signIn(services, owner)).token, path: { accountId } };
  const leaving = { accountId, userId: member.userId };
  const waiting = await personWithTotp(services, await services.addAccount());
  return {
    usual: {
      listMembers: asOwner,
      listActivity: asOwner,
      inviteMember: asOwner,
      removeMember: { ...asOwner, path: leaving },
    },
    changes: {
      "listActivity 400": { query: "limit=0" },
      "listActivity 403": { credential: await sessionOf(services, accountId, "developer") },
      "listMembers 403": { credential: (await signIn(services, waiting.person)).token },
      "inviteMember 400": { body: { role: "none" } },
      "removeMember 409": { path: { accountId, userId: owner.userId } },
    },
  };
}

async function ofOrdersAndMoney(
  services: TestServices,
  accountId: AccountId,
): Promise<{ usual: Parts; changes: Parts }> {
  const { productId } = await services.addProduct();
  const { key } = await services.addKey(accountId);
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("A key that has just been made is refused.");
  const request = { caller, externalOrderId: "dredd-account", productId, qty: 1, expectedUnitPrice: null };
  const { orderId } = (await services.orders.place(request)).order;
  const refunded = (await services.orders.place({ ...request, externalOrderId: "dredd-refunded" })).order;
  await services.orderAdministration.refund(refunded.orderId, "It was not wanted.");
  const path = { accountId };
  const [billing, developer] = [
    { credential: await sessionOf(services, accountId, "billing") },
    { credential: await sessionOf(services, accountId, "developer") },
  ];
  return {
    usual: {
      listOrders: { path },
      getOrder: { path: { accountId, orderId } },
      revealOrderCodes: { path: { accountId, orderId } },
      listLedger: { path },
      getStatement: { path: { accountId, month: "2026-11" } },
    },
    changes: {
      "listOrders 400": { query: "limit=0" },
      "listOrders 403": billing,
      "getOrder 403": billing,
      "revealOrderCodes 409": { path: { accountId, orderId: refunded.orderId } },
      "listLedger 400": { query: "cursor=none" },
      "listLedger 403": developer,
      "getStatement 400": { query: "timeZone=None/Such" },
      "getStatement 403": developer,
    },
  };
}

/** Settings, statistics and files. */
async function ofFigures(
  services: TestServices,
  accountId: AccountId,
): Promise<{ usual: Parts; changes: Parts }> {
  const waiting = await personWithTotp(services, accountId);
  const awaiting = { credential: (await signIn(services, waiting.person)).token };
  const [billing, developer] = [
    { credential: await sessionOf(services, accountId, "billing") },
    { credential: await sessionOf(services, accountId, "developer") },
  ];
  const path = { accountId };
  const emptyPeriod = { query: "from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z" };
  const statistics = ["getSpendStatistics", "getOrderStatistics", "getCallStatistics"];
  const exports = ["exportOrders", "exportLedger", "exportUsage", "exportActivity"];
  const ofAll = (operations: readonly string[], status: string, parts: Partial<RequestParts>) =>
    Object.fromEntries(operations.map((operationId) => [`${operationId}${status}`, parts]));
  return {
    usual: { ...ofAll(["getSettings", "changeSettings", ...statistics, ...exports], "", { path }) },
    changes: {
      ...ofAll([...statistics, ...exports], " 400", emptyPeriod),
      ...ofAll(["getSettings", "exportUsage", ...statistics], " 403", awaiting),
      ...ofAll(["exportLedger", "exportActivity"], " 403", developer),
      "exportOrders 403": billing,
      "changeSettings 400": { body: { timeZone: "None/Such" } },
    },
  };
}

async function personWithTotp(services: TestServices, accountId: AccountId) {
  const person = await addPerson(services, accountId);
  const begun = await signIn(services, person);
  const { recoveryCodes } = await addTotp(services, begun);
  return { person, recoveryCodes, steppedUp: begun.token };
}

async function passwordChange(services: TestServices, accountId: AccountId): Promise<Partial<RequestParts>> {
  const person = await addPerson(services, accountId);
  const { token: credential } = await signIn(services, person);
  const { password } = person;
  return { credential, body: { currentPassword: password, newPassword: `${password}, another` } };
}

async function ownSession(services: TestServices, accountId: AccountId): Promise<Partial<RequestParts>> {
  const person = await addPerson(services, accountId);
  const [asking, asked] = [await signIn(services, person), await signIn(services, person)];
  return { credential: asking.token, path: { sessionId: asked.signedIn.session.sessionId } };
}

import type { OperatorRole } from "../../../server/people/person.ts";
import type { NewSession } from "../../../server/people/sessions.ts";
import {
  addOperator,
  newOrigin,
  openConsole,
  signInOperator,
  tokenOf,
} from "../../../server/testing/test-people.ts";
import type { TestServices } from "../../../server/testing/test-shop.ts";
import { openContract } from "../../contract.ts";
import type { LiveShop } from "../../dredd/live-shop.ts";
import type { RequestParts, Requests } from "../../dredd/requests.ts";

type Parts = Readonly<Record<string, Partial<RequestParts>>>;

/** So many wrong attempts are free. */
const FREE_ATTEMPTS = 10;
const NO_SUCH_USER = "usr_01938c8e6f2b7c3e9a4d5f6071829399";
const WRONG_PASSWORD = "not theirs at all";

/** A request from a page of another site, as its browser says it. */
const crossSite = { headers: { "sec-fetch-site": "cross-site" } };
/** A request from a network that has guessed too often, as the proxy in front of the service says it. */
const fromGuessers = { headers: { "x-forwarded-for": "198.51.100.19" } };

/** Fills the shop with operators, of whom one is an admin, and says whose session each request of the console brings. */
export async function dreddRequests({ urls, services }: LiveShop): Promise<Requests> {
  await guess(urls.operator);
  const admin = await addOperator(services, "admin");
  const people = await ofPeople(services);
  const factors = await ofFactors(services);
  return {
    credential: (await openConsole(services, admin)).token,
    exhausted: null,
    usual: {
      ...people.usual,
      ...factors.usual,
      removeOperator: { path: { userId: (await addOperator(services, "viewer")).userId } },
    },
    changes: {
      ...crossSiteChanges(),
      ...people.changes,
      ...factors.changes,
      "removeOperator 404": { path: { userId: NO_SUCH_USER } },
      "removeOperator 409": { path: { userId: admin.userId } },
      "acceptInvitation 409": {
        body: { token: await invited(services, admin.email, "viewer"), password: admin.password },
      },
    },
  };
}

/** Makes as many wrong attempts as are free: the service counts them in its own process. */
async function guess(url: string): Promise<void> {
  const { basePath, operations } = openContract("operator");
  const { browserHeaders = {} } = operations.find(({ operationId }) => operationId === "signIn") ?? {};
  for (let attempt = 0; attempt < FREE_ATTEMPTS; attempt += 1)
    await fetch(`${url}${basePath}/session`, {
      method: "POST",
      headers: { ...browserHeaders, ...fromGuessers.headers, "Content-Type": "application/json" },
      body: JSON.stringify({ email: `guess-${attempt}@shop.example`, password: WRONG_PASSWORD }),
    });
}

/** Whatever may change something is refused from elsewhere. */
function crossSiteChanges(): Parts {
  const unsafe = openContract("operator").operations.filter(({ method }) => method !== "GET");
  return Object.fromEntries(unsafe.map(({ operationId }) => [`${operationId} 403`, crossSite]));
}

const as = ({ token: credential }: Pick<NewSession, "token">) => ({ credential });

/** A session of somebody who has no second factor. */
async function session(services: TestServices): Promise<NewSession> {
  return signInOperator(services, await addOperator(services, "viewer"));
}

async function invited(
  { people: { operators } }: TestServices,
  email = `${newOrigin().address}@s.example`,
  role: OperatorRole = "viewer",
) {
  return tokenOf((await operators.invitations.inviteOperator(email, role)).link);
}

/** Signing in and out, invitations, and who is signed in. */
async function ofPeople(services: TestServices): Promise<{ usual: Parts; changes: Parts }> {
  const person = await addOperator(services, "viewer");
  const { email, password } = person;
  const asPerson = as(await signInOperator(services, person));
  const waiting = await addOperator(services, "support");
  const { recoveryCodes } = await openConsole(services, waiting);
  const awaiting = as(await signInOperator(services, waiting));
  const two = await addOperator(services, "viewer");
  const [asking, asked] = [await signInOperator(services, two), await signInOperator(services, two)];
  return {
    usual: {
      signIn: { body: { email, password } },
      signOut: as(await session(services)),
      giveFactor: {
        ...as(await signInOperator(services, waiting)),
        body: { kind: "recovery_code", value: recoveryCodes[0] ?? "" },
      },
      stepUp: { ...asPerson, body: { kind: "password", value: password } },
      showInvitation: { body: { token: await invited(services) } },
      acceptInvitation: { body: { token: await invited(services), password, name: "Grace" } },
      endOtherSessions: as(await session(services)),
      endSession: { ...as(asking), path: { sessionId: asked.signedIn.session.sessionId } },
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
      "acceptInvitation 400": { body: { token: await invited(services), password: "short" } },
      "acceptInvitation 401": { body: { token: await invited(services, email), password: WRONG_PASSWORD } },
      "acceptInvitation 410": { body: { token: "none" } },
      "acceptInvitation 429": {
        body: { token: await invited(services, waiting.email, "support") },
        ...fromGuessers,
      },
      "inviteOperator 400": { body: { role: "none" } },
      "listSessions 403": awaiting,
      "getSecurity 403": awaiting,
      "listOperators 403": awaiting,
    },
  };
}

/** Passwords and second factors. */
async function ofFactors(services: TestServices): Promise<{ usual: Parts; changes: Parts }> {
  const withTotp = as(await openConsole(services, await addOperator(services, "viewer")));
  const confirming = await session(services);
  const { secret } = await services.people.operators.factors.begin(confirming.signedIn.user);
  const changing = await addOperator(services, "viewer");
  return {
    usual: {
      changePassword: {
        ...as(await signInOperator(services, changing)),
        body: { currentPassword: changing.password, newPassword: `${changing.password}, another` },
      },
      beginTotp: as(await session(services)),
      confirmTotp: { ...as(confirming), totpSecret: secret },
      removeTotp: as(await session(services)),
      renewRecoveryCodes: withTotp,
    },
    changes: {
      "changePassword 400": { body: { newPassword: "short" } },
      "changePassword 429": fromGuessers,
      "beginTotp 409": withTotp,
      "confirmTotp 400": { body: { code: "none" }, totpSecret: null },
      "confirmTotp 409": as(await session(services)),
      "renewRecoveryCodes 409": as(await session(services)),
    },
  };
}

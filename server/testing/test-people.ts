import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Actor } from "../activity/activity-entry.ts";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import { WrongCodeError } from "../people/errors.ts";
import type { AddedPasskey } from "../people/passkeys.ts";
import type { OperatorRole, Role, User } from "../people/person.ts";
import type { Origin } from "../people/session.ts";
import type { NewSession } from "../people/sessions.ts";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "./software-authenticator.ts";

/** As long as each code of an app is shown. */
export const TOTP_STEP_MS = 30_000;

/** Somebody who can sign in. */
export interface TestPerson extends User {
  readonly password: string;
}

/** An address of its own, from which nothing wrong has come yet. */
export function newOrigin(): Origin {
  return { address: randomUUID(), userAgent: "A browser" };
}

/** As whom a person acts, from an address of its own. */
export function actingAs({ userId, email }: Pick<User, "userId" | "email">): Actor {
  return { userId, email, address: newOrigin().address };
}

/** The token in the fragment of a link. */
export function tokenOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get("invitation") ?? "";
}

/** Invites a person, who accepts. */
export async function addPerson(
  { people }: Pick<Services, "people">,
  accountId: AccountId,
  role: Role = "owner",
): Promise<TestPerson> {
  const password = `password of ${randomUUID()}`;
  const { link } = await people.invitations.invite(`ada-${randomUUID()}@buyer.example`, accountId, role);
  const { address } = newOrigin();
  const user = await people.invitations.accept({ token: tokenOf(link), password, name: "Ada", address });
  return { ...user, password };
}

/** Invites somebody to run the shop, who accepts. */
export async function addOperator(
  { people: { operators } }: Pick<Services, "people">,
  role: OperatorRole = "admin",
): Promise<TestPerson> {
  const password = `password of ${randomUUID()}`;
  const { link } = await operators.invitations.inviteOperator(`grace-${randomUUID()}@shop.example`, role);
  const { address } = newOrigin();
  const user = await operators.invitations.accept({ token: tokenOf(link), password, name: "Grace", address });
  return { ...user, password };
}

/** Begins a session of an operator in the console; of who has a second factor it waits for that. */
export function signInOperator(
  { people: { operators } }: Pick<Services, "people">,
  { email, password }: Pick<TestPerson, "email" | "password">,
): Promise<NewSession> {
  return operators.sessions.signIn({ email, password, ...newOrigin() });
}

/** Begins a session of an operator who has set up a second factor in it, and so may use their role. */
export async function openConsole(
  services: Pick<Services, "people" | "clock">,
  person: Pick<TestPerson, "email" | "password">,
): Promise<NewSession & { readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const session = await signInOperator(services, person);
  return { ...session, ...(await addTotp(services, session)) };
}

/** Begins a session of theirs; of who has a second factor it waits for that. */
export function signIn(
  { people }: Pick<Services, "people">,
  { email, password }: Pick<TestPerson, "email" | "password">,
): Promise<NewSession> {
  return people.sessions.signIn({ email, password, ...newOrigin() });
}

/** The code that an app shows at a moment. */
export function codeAt(secret: string, timeMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: timeMs });
}

/** Gives a person who is signed in an app for codes; its code of the present step is not used yet. */
export async function addTotp(
  { people, clock }: Pick<Services, "people" | "clock">,
  { signedIn }: NewSession,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { user, session } = signedIn;
  const { secret } = await people.factors.begin(user);
  const confirm = async () => {
    const code = codeAt(secret, clock() - TOTP_STEP_MS);
    return {
      secret,
      recoveryCodes: await people.factors.confirm(code, session.sessionId, actingAs(user)),
    };
  };
  for (;;) {
    try {
      return await confirm();
    } catch (error) {
      // The step has ended meanwhile.
      if (!(error instanceof WrongCodeError)) throw error;
    }
  }
}

/** Where the pages of test services are, unless their settings say otherwise. */
export const TEST_ORIGIN = "http://localhost:8080";

/** Gives a person who is signed in a passkey. */
export async function addPasskey(
  { people }: Pick<Services, "people">,
  { signedIn: { user, session } }: NewSession,
  { name = "Laptop", authenticator = createSoftwareAuthenticator() } = {},
): Promise<AddedPasskey & { authenticator: SoftwareAuthenticator }> {
  const { challenge } = await people.passkeys.beginAdding(session);
  const made = authenticator.make({ challenge, origin: TEST_ORIGIN });
  const { sessionId } = session;
  return { ...(await people.passkeys.add({ name, made, sessionId, by: actingAs(user) })), authenticator };
}

import type { Accounts } from "../accounts/accounts.ts";
import { recordAction } from "../actions/record-action.ts";
import type { Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { ContentionError } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import { type AccountId, newId } from "../ids.ts";
import type { Attempts } from "./attempts.ts";
import { checkEmail, checkName, checkPassword } from "./check-person.ts";
import { InvitationGoneError, SignInRefusedError } from "./errors.ts";
import { deleteFactors } from "./factor-store.ts";
import {
  deleteOpenInvitations,
  findOpenInvitation,
  insertInvitation,
  useInvitation,
} from "./invitation-store.ts";
import type { Passwords } from "./password.ts";
import { emailKey, INVITATION_MS, type Invitation, type Role, type User } from "./person.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { deleteSessions } from "./session-store.ts";
import { hashToken, newToken } from "./token.ts";
import {
  findUserByEmail,
  insertMembership,
  insertUser,
  type KnownUser,
  lockUserByEmail,
  replacePassword,
  requireAnotherOwner,
  updateUserName,
} from "./user-store.ts";

/** What invitations need. */
export interface InvitationsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  /** Where the account center's page is. */
  readonly accountCenterUrl: string;
}

/** An invitation with the link to it, which is in the answer and nowhere else. */
export interface InvitationLink extends Invitation {
  /** Its token is in the fragment, which browsers keep to themselves. */
  readonly link: string;
}

/** What an invitation says to who opens it. */
export interface ShownInvitation extends Invitation {
  readonly accountName: string | null;
  /** Whether they confirm it with their password, as who is known does; otherwise they choose one. */
  readonly hasPassword: boolean;
}

/** How an invitation is accepted. */
export interface Acceptance {
  readonly token: string;
  /** Who is new chooses it; who is known and has one gives it. */
  readonly password: string;
  /** Of who is new; who is known keeps theirs when it is null. */
  readonly name: string | null;
  readonly address: string;
}

/** Links that people are let in by. */
export function createInvitations(dependencies: InvitationsDependencies) {
  const { database, clock, accounts } = dependencies;

  async function find(token: string): Promise<Invitation> {
    const invitation = await findOpenInvitation(database, hashToken(token), clock());
    if (invitation === null) throw new InvitationGoneError();
    return invitation;
  }

  return {
    /**
     * Invites a person to an account, or makes them a member of it with another role; an earlier link for the same ends.
     * @throws {NotFoundError} no such account. @throws {InvalidPersonFieldError} @throws {ConflictError} an operator invites somebody
     * whose password was taken away. (The account's people are not told: they get a link that is good once there is another.)
     */
    async invite(
      email: string,
      accountId: AccountId,
      role: Role,
      by: Actor | null = null,
    ): Promise<InvitationLink> {
      checkEmail(email);
      await accounts.get(accountId);
      if (by === null) await requirePassword(database, email);
      return transaction(database, async (tx) => {
        const link = await insertLink(dependencies, tx, email, { accountId, role });
        const invitation = { action: "member_invited", targetName: email } as const;
        await recordAct(tx, { ...invitation, by, accountIds: [accountId], atMs: link.createdAtMs });
        await recordAction(tx, { operation: "inviteUser", targetId: email, after: { accountId, role } });
        return link;
      });
    },

    /**
     * Takes a user's password and second factor away and ends their sessions, at once.
     * @returns a link by which they choose a new password. @throws {NotFoundError} no such user.
     */
    async reset(email: string): Promise<InvitationLink> {
      return transaction(database, async (tx) => {
        const user = await lockUserByEmail(tx, email);
        if (user === null) throw new NotFoundError("user", email);
        await replacePassword(tx, user.userId, user.passwordHash, null);
        await deleteFactors(tx, user.userId);
        await deleteSessions(tx, user.userId);
        const link = await insertLink(dependencies, tx, user.email, null);
        await recordAction(tx, { operation: "resetUser", targetId: user.email });
        return link;
      });
    },

    /** What a link is for; that does not use it. @throws {InvitationGoneError} */
    async show(token: string): Promise<ShownInvitation> {
      const invitation = await find(token);
      const { email, membership } = invitation;
      const user = await findUserByEmail(database, email);
      const accountName = membership === null ? null : (await accounts.get(membership.accountId)).name;
      // Without a password who is known needs the link that has them choose one, before one to an account.
      const hasPassword = user !== null && (membership !== null || user.passwordHash !== null);
      return { ...invitation, accountName, hasPassword };
    },

    /**
     * Uses a link, once: makes the user if they are new, and a member of its account, or sets the new password.
     * @throws {InvitationGoneError} @throws {InvalidPersonFieldError} @throws {SignInRefusedError} the person is known, and the
     * password is not theirs. @throws {LastOwnerError} they would be that no more, and the link can still be used.
     * @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
     */
    async accept(acceptance: Acceptance): Promise<User> {
      const invitation = await find(acceptance.token);
      const known = await findUserByEmail(database, invitation.email);
      const accepted = await prepare(dependencies, acceptance, invitation, known);
      return transaction(database, async (tx) => {
        const nowMs = clock();
        if (!(await useInvitation(tx, invitation.invitationId, nowMs))) throw new InvitationGoneError();
        await writeUser(tx, known, accepted);
        await join(tx, accepted, invitation, nowMs);
        await recordAcceptance(tx, { ...accepted, address: acceptance.address }, invitation, nowMs);
        return { ...accepted };
      });
    },
  };
}

/** @throws {ConflictError} somebody with that e-mail has none: a link to an account would not let them in. */
async function requirePassword(database: Database, email: string): Promise<void> {
  const user = await findUserByEmail(database, email);
  if (user === null || user.passwordHash !== null) return;
  throw new ConflictError(
    `${user.email} has no password since it was reset, and so cannot accept an invitation. Have them choose one by the link of ` +
      `"user reset ${user.email}", which prints a new one, then invite them.`,
    { email: user.email },
  );
}

/** Makes a user a member of the account that an invitation is for, if it is for one. @throws {LastOwnerError} */
async function join(
  tx: Transaction,
  { userId }: User,
  { membership }: Invitation,
  nowMs: number,
): Promise<void> {
  if (membership === null) return;
  if (membership.role !== "owner") await requireAnotherOwner(tx, membership.accountId, userId);
  await insertMembership(tx, userId, membership, nowMs);
}

async function recordAcceptance(
  tx: Transaction,
  { userId, email, address }: Actor,
  { membership }: Invitation,
  atMs: number,
): Promise<void> {
  const by = { userId, email, address };
  if (membership === null) return recordOwnAct(tx, by, { action: "password_changed" }, atMs);
  const joining = { action: "member_joined", targetId: userId, targetName: email } as const;
  await recordAct(tx, { ...joining, by, accountIds: [membership.accountId], atMs });
}

async function insertLink(
  { clock, accountCenterUrl }: InvitationsDependencies,
  tx: Transaction,
  email: string,
  membership: Invitation["membership"],
): Promise<InvitationLink> {
  const [token, nowMs] = [newToken(), clock()];
  const invitation = {
    invitationId: newId("inv"),
    email,
    membership,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + INVITATION_MS,
  };
  await deleteOpenInvitations(tx, email, membership?.accountId ?? null);
  await insertInvitation(tx, hashToken(token), invitation);
  return { ...invitation, link: `${accountCenterUrl}#invitation=${token}` };
}

/** The user as they will be. It takes as long as a password takes, so no transaction is open meanwhile. */
async function prepare(
  { clock, passwords, attempts }: InvitationsDependencies,
  { password, name, address }: Acceptance,
  { email, membership }: Invitation,
  known: KnownUser | null,
): Promise<KnownUser> {
  // The link to an account makes nobody the owner of a user who is there already: they prove by their password that it is them.
  if (known !== null && membership !== null) {
    const isTheirs = await attempts.make(address, emailKey(email), async () =>
      (await passwords.verify(password, known.passwordHash)) ? true : null,
    );
    if (isTheirs === null) throw new SignInRefusedError();
    return known;
  }
  checkPassword(password);
  if (known === null || name !== null) checkName(name ?? "");
  const passwordHash = await passwords.hash(password);
  if (known !== null) return { ...known, passwordHash, name: name ?? known.name };
  return { userId: newId("usr"), email, name: name ?? "", passwordHash, createdAtMs: clock() };
}

/** @throws {ContentionError} the user has been changed meanwhile. */
async function writeUser(tx: Transaction, known: KnownUser | null, user: KnownUser): Promise<void> {
  const { userId, passwordHash, name } = user;
  const isWritten =
    known === null
      ? await insertUser(tx, user)
      : await replacePassword(tx, userId, known.passwordHash, passwordHash);
  if (!isWritten)
    throw new ContentionError(new Error("The user was changed while an invitation was accepted."));
  if (known !== null && name !== known.name) await updateUserName(tx, userId, name);
}

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
import { putOperator } from "./operators.ts";
import type { Passwords } from "./password.ts";
import {
  emailKey,
  INVITATION_MS,
  type Invitation,
  type OperatorRole,
  type Role,
  type User,
} from "./person.ts";
import { recordOwnAct } from "./record-own-act.ts";
import type { Audience } from "./session.ts";
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
  /** Where the page is that the links lead to, with a slash at its end. */
  readonly pageUrl: string;
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

/** What an invitation is to. */
type Grant = Pick<Invitation, "membership" | "operatorRole">;

/** Links that people are let in by, to the page of one audience: no other takes them. */
export function createInvitations(dependencies: InvitationsDependencies, audience: Audience) {
  const { database, clock, accounts } = dependencies;
  const insertLink = createInsertLink(dependencies, audience);

  async function find(token: string): Promise<Invitation> {
    const invitation = await findOpenInvitation(database, hashOf(token, audience), clock());
    if (invitation === null) throw new InvitationGoneError();
    return invitation;
  }

  return {
    ...createInviting(dependencies, insertLink),
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
        const link = await insertLink(tx, user.email, { membership: null, operatorRole: null });
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
      const hasPassword = user !== null && (isGrant(invitation) || user.passwordHash !== null);
      return { ...invitation, accountName, hasPassword };
    },

    /**
     * Uses a link, once: makes the user if they are new, and a member of its account or an operator, or sets the new password.
     * @throws {InvitationGoneError} @throws {InvalidPersonFieldError} @throws {SignInRefusedError} the person is known, and the
     * password is not theirs. @throws {LastOwnerError} @throws {LastAdminError} they would be that no more, and the link can still be
     * used.
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

/** Links that give somebody something. */
function createInviting(
  { database, accounts }: Pick<InvitationsDependencies, "database" | "accounts">,
  insertLink: ReturnType<typeof createInsertLink>,
) {
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
        const membership = { accountId, role };
        const link = await insertLink(tx, email, { membership, operatorRole: null });
        const invitation = { action: "member_invited", targetName: email } as const;
        await recordAct(tx, { ...invitation, by, accountIds: [accountId], atMs: link.createdAtMs });
        await recordAction(tx, { operation: "inviteUser", targetId: email, after: { accountId, role } });
        return link;
      });
    },

    /**
     * Invites a person to be an operator, or to be one in another role; an earlier link to that ends.
     * @throws {InvalidPersonFieldError} @throws {ConflictError} somebody whose password was taken away.
     */
    async inviteOperator(email: string, operatorRole: OperatorRole): Promise<InvitationLink> {
      checkEmail(email);
      await requirePassword(database, email);
      return transaction(database, async (tx) => {
        const link = await insertLink(tx, email, { membership: null, operatorRole });
        await recordAction(tx, {
          operation: "inviteOperator",
          targetId: email,
          after: { role: operatorRole },
        });
        return link;
      });
    },
  };
}

/** @returns what writes an invitation, and gives its link. */
function createInsertLink(
  { clock, pageUrl }: Pick<InvitationsDependencies, "clock" | "pageUrl">,
  audience: Audience,
) {
  return async (tx: Transaction, email: string, grant: Grant): Promise<InvitationLink> => {
    const [token, nowMs] = [newToken(), clock()];
    const invitation = {
      ...{ invitationId: newId("inv"), email, ...grant },
      ...{ createdAtMs: nowMs, expiresAtMs: nowMs + INVITATION_MS },
    };
    await deleteOpenInvitations(tx, invitation);
    await insertInvitation(tx, hashOf(token, audience), invitation);
    return { ...invitation, link: `${pageUrl}#invitation=${token}` };
  };
}

/** By what a link's token is found: that of an operator is none in the account center, nor in one of the release before. */
function hashOf(token: string, audience: Audience): Buffer {
  return hashToken(audience === "account" ? token : `${audience}:${token}`);
}

function isGrant({ membership, operatorRole }: Grant): boolean {
  return membership !== null || operatorRole !== null;
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

/**
 * Makes a user a member of the account that an invitation is for, or an operator, if it is for that.
 * @throws {LastOwnerError} @throws {LastAdminError}
 */
async function join(
  tx: Transaction,
  { userId }: User,
  { membership, operatorRole }: Invitation,
  nowMs: number,
): Promise<void> {
  if (operatorRole !== null) await putOperator(tx, { userId, role: operatorRole }, nowMs);
  if (membership === null) return;
  if (membership.role !== "owner") await requireAnotherOwner(tx, membership.accountId, userId);
  await insertMembership(tx, userId, membership, nowMs);
}

async function recordAcceptance(
  tx: Transaction,
  { userId, email, address }: Actor,
  { membership, operatorRole }: Invitation,
  atMs: number,
): Promise<void> {
  // That somebody is an operator is no business of the accounts that they are a member of.
  if (operatorRole !== null) return;
  const by = { userId, email, address };
  if (membership === null) return recordOwnAct(tx, by, { action: "password_changed" }, atMs);
  const joining = { action: "member_joined", targetId: userId, targetName: email } as const;
  await recordAct(tx, { ...joining, by, accountIds: [membership.accountId], atMs });
}

/** The user as they will be. It takes as long as a password takes, so no transaction is open meanwhile. */
async function prepare(
  { clock, passwords, attempts }: InvitationsDependencies,
  { password, name, address }: Acceptance,
  { email, ...grant }: Invitation,
  known: KnownUser | null,
): Promise<KnownUser> {
  // Such a link makes nobody the owner of a user who is there already: they prove by their password that it is them.
  if (known !== null && isGrant(grant)) {
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

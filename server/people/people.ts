import { recordAction } from "../actions/record-action.ts";
import type { Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import { transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import type { AccountId, SessionId, UserId } from "../ids.ts";
import { type AttemptCount, createAttempts } from "./attempts.ts";
import { checkPassword } from "./check-person.ts";
import { InvalidPersonFieldError } from "./errors.ts";
import { createFactors, type FactorsDependencies } from "./factors.ts";
import { createInvitations, type InvitationsDependencies } from "./invitations.ts";
import { createPasskeys } from "./passkeys.ts";
import { createPasswords } from "./password.ts";
import type { User, UserWithMemberships } from "./person.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { deleteSessions } from "./session-store.ts";
import { createSessions } from "./sessions.ts";
import {
  deleteMembership,
  findUser,
  findUserByEmail,
  isMember,
  listUsers,
  replacePassword,
  requireAnotherOwner,
} from "./user-store.ts";

const NOT_THEIRS = "That is not your present password.";

/** What people need. */
export type PeopleDependencies = FactorsDependencies &
  Omit<InvitationsDependencies, "passwords" | "attempts"> & {
    /** Where all processes count wrong attempts together; null: each counts its own. */
    readonly attemptCount: AttemptCount | null;
  };

export type People = ReturnType<typeof createPeople>;

/** The people who sign in, and what is done with them; see the README beside. */
export function createPeople(dependencies: PeopleDependencies) {
  const { database, clock } = dependencies;
  const passwords = createPasswords();
  const attempts = createAttempts(dependencies.attemptCount);
  const factors = createFactors(dependencies);
  const passkeys = createPasskeys({ ...dependencies, attempts });
  const all = { ...dependencies, passwords, attempts, factors, passkeys };

  return {
    invitations: createInvitations(all),
    factors,
    passkeys,
    /** Those of the account center. */
    sessions: createSessions(all, "account"),

    /** All users, or an account's members, by e-mail. */
    list: (accountId: AccountId | null): Promise<UserWithMemberships[]> => listUsers(database, accountId),

    /** Ends all sessions of a user, at once. @returns how many. @throws {NotFoundError} no such user. */
    async endSessions(email: string): Promise<number> {
      const user = await requireUser(email);
      return transaction(database, async (tx) => {
        const endedSessions = await deleteSessions(tx, user.userId);
        const action = { operation: "endUserSessions", targetId: user.email } as const;
        if (endedSessions > 0) await recordAction(tx, { ...action, after: { endedSessions } });
        return endedSessions;
      });
    },

    /**
     * Takes a member out of an account, and ends all of their sessions: they sign in anew to what is left.
     * @throws {NotFoundError} no such member.
     */
    async remove(email: string, accountId: AccountId): Promise<void> {
      const { userId, email: targetId } = await requireUser(email);
      await transaction(database, async (tx) => {
        if (!(await deleteMembership(tx, userId, accountId))) throw new NotFoundError("user", email);
        await deleteSessions(tx, userId);
        await recordAction(tx, { operation: "removeMember", targetId, before: { accountId } });
      });
    },

    /**
     * The same for an account's owners: sessions go on for the other accounts of whoever is removed.
     * @throws {NotFoundError} no such member. @throws {LastOwnerError}
     */
    removeMember: (userId: UserId, accountId: AccountId, by: Actor | null = null): Promise<void> =>
      transaction(database, async (tx) => {
        await requireAnotherOwner(tx, accountId, userId);
        const { email: targetName = null } = (await findUser(tx, userId)) ?? {};
        if (!(await deleteMembership(tx, userId, accountId))) throw new NotFoundError("user", userId);
        const removal = { action: "member_removed", targetId: userId, targetName } as const;
        await recordAct(tx, { ...removal, by, accountIds: [accountId], atMs: clock() });
        if (!(await isMember(tx, userId))) await deleteSessions(tx, userId);
      }),

    /**
     * Gives a user another password, and ends their other sessions.
     * @throws {InvalidPersonFieldError} also when the present password is not that.
     * @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
     */
    async changePassword({ from, to, by, sessionId }: PasswordChange): Promise<void> {
      const { userId, address } = by;
      checkPassword(to, "newPassword");
      const isTheirs = await attempts.make(address, userId, async () => {
        const hash = (await findUser(database, userId))?.passwordHash ?? null;
        return (await passwords.verify(from, hash)) ? { hash } : null;
      });
      if (isTheirs === null) throw new InvalidPersonFieldError("currentPassword", NOT_THEIRS);
      const newHash = await passwords.hash(to);
      await transaction(database, async (tx) => {
        // Somebody else has changed it meanwhile.
        if (!(await replacePassword(tx, userId, isTheirs.hash, newHash)))
          throw new InvalidPersonFieldError("currentPassword", NOT_THEIRS);
        await deleteSessions(tx, userId, sessionId);
        await recordOwnAct(tx, by, { action: "password_changed" }, clock());
      });
    },
  };

  async function requireUser(email: string): Promise<User> {
    const user = await findUserByEmail(database, email);
    if (user === null) throw new NotFoundError("user", email);
    return user;
  }
}

/** A password that is replaced, by whom and in which session. */
export interface PasswordChange {
  readonly from: string;
  readonly to: string;
  readonly sessionId: SessionId;
  readonly by: Actor;
}

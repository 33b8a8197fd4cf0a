import { transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import type { AccountId, SessionId, UserId } from "../ids.ts";
import { createAttempts } from "./attempts.ts";
import { checkPassword } from "./check-person.ts";
import { SignInRefusedError } from "./errors.ts";
import { createFactors, type FactorsDependencies } from "./factors.ts";
import { createInvitations, type InvitationsDependencies } from "./invitations.ts";
import { createPasswords } from "./password.ts";
import type { UserWithMemberships } from "./person.ts";
import { deleteSessions } from "./session-store.ts";
import { createSessions } from "./sessions.ts";
import { deleteMembership, findUser, findUserByEmail, listUsers, replacePassword } from "./user-store.ts";

/** What people need. */
export type PeopleDependencies = FactorsDependencies &
  Omit<InvitationsDependencies, "passwords" | "attempts">;

/** The people who sign in, and what is done with them; see the README beside. */
export function createPeople(dependencies: PeopleDependencies) {
  const { database } = dependencies;
  const passwords = createPasswords();
  const attempts = createAttempts();
  const factors = createFactors(dependencies);
  const all = { ...dependencies, passwords, attempts, factors };

  return {
    invitations: createInvitations(all),
    factors,
    /** Those of the account center. */
    sessions: createSessions(all, "account"),

    /** All users, or an account's members, by e-mail. */
    list: (accountId: AccountId | null): Promise<UserWithMemberships[]> => listUsers(database, accountId),

    /** Ends all sessions of a user, at once. @returns how many. @throws {NotFoundError} no such user. */
    async endSessions(email: string): Promise<number> {
      return deleteSessions(database, await idOf(email));
    },

    /**
     * Takes a member out of an account, and ends all of their sessions: they sign in anew to what is left.
     * @throws {NotFoundError} no such member.
     */
    async remove(email: string, accountId: AccountId): Promise<void> {
      const userId = await idOf(email);
      await transaction(database, async (tx) => {
        if (!(await deleteMembership(tx, userId, accountId))) throw new NotFoundError("user", email);
        await deleteSessions(tx, userId);
      });
    },

    /**
     * Gives a user another password, and ends their other sessions.
     * @throws {InvalidPersonFieldError} @throws {SignInRefusedError} the password is not the present one.
     * @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
     */
    async changePassword(userId: UserId, { from, to, address, sessionId }: PasswordChange): Promise<void> {
      checkPassword(to);
      const isTheirs = await attempts.make(address, userId, async () => {
        const hash = (await findUser(database, userId))?.passwordHash ?? null;
        return (await passwords.verify(from, hash)) ? { hash } : null;
      });
      if (isTheirs === null) throw new SignInRefusedError();
      const newHash = await passwords.hash(to);
      await transaction(database, async (tx) => {
        // Somebody else has changed it meanwhile.
        if (!(await replacePassword(tx, userId, isTheirs.hash, newHash))) throw new SignInRefusedError();
        await deleteSessions(tx, userId, sessionId);
      });
    },
  };

  async function idOf(email: string): Promise<UserId> {
    const user = await findUserByEmail(database, email);
    if (user === null) throw new NotFoundError("user", email);
    return user.userId;
  }
}

/** A password that is replaced, in a session and from an address. */
export interface PasswordChange {
  readonly from: string;
  readonly to: string;
  readonly sessionId: SessionId;
  readonly address: string;
}

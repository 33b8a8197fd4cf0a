import { recordAction } from "../actions/record-action.ts";
import type { Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import { transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import type { AccountId, UserId } from "../ids.ts";
import { type AttemptCount, createAttempts } from "./attempts.ts";
import { createChangePassword } from "./change-password.ts";
import { createFactors, type FactorsDependencies } from "./factors.ts";
import { createInvitations, type InvitationLink, type InvitationsDependencies } from "./invitations.ts";
import { findRole } from "./operator-store.ts";
import { createOperators } from "./operators.ts";
import { createPasskeys } from "./passkeys.ts";
import { createPasswords } from "./password.ts";
import type { User, UserWithMemberships } from "./person.ts";
import type { Audience } from "./session.ts";
import { deleteSessions } from "./session-store.ts";
import { createSessions } from "./sessions.ts";
import {
  deleteMembership,
  findUser,
  findUserByEmail,
  isMember,
  listUsers,
  requireAnotherOwner,
} from "./user-store.ts";

/** What people need. */
export type PeopleDependencies = FactorsDependencies &
  Omit<InvitationsDependencies, "passwords" | "attempts" | "pageUrl"> & {
    /** Where each audience opens its page, with a slash at its end. */
    readonly pageUrls: Readonly<Record<Audience, string>>;
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
  const changePassword = createChangePassword({ ...dependencies, passwords, attempts });
  /** What is done on the page of an audience: each is at an origin of its own, and lets in by links and sessions of its own. */
  function pageOf(audience: Audience) {
    const parts = { ...dependencies, pageUrl: dependencies.pageUrls[audience], passwords, attempts, factors };
    const passkeys = createPasskeys(parts);
    const sessions = createSessions({ ...parts, passkeys }, audience);
    return { invitations: createInvitations(parts, audience), factors, passkeys, sessions, changePassword };
  }
  const operatorPage = pageOf("operator");
  const accountPage = pageOf("account");

  return {
    /** That of the account center. */
    ...accountPage,

    /** The people who run the shop, and what is done on their page. */
    operators: { ...operatorPage, ...createOperators(dependencies) },

    /** Resets a user, who chooses a new password on the page of operators if they are one; see the invitations. */
    async reset(email: string): Promise<InvitationLink> {
      const user = await findUserByEmail(database, email);
      const runsTheShop = user !== null && (await findRole(database, user.userId)) !== null;
      return (runsTheShop ? operatorPage : accountPage).invitations.reset(email);
    },

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
  };

  async function requireUser(email: string): Promise<User> {
    const user = await findUserByEmail(database, email);
    if (user === null) throw new NotFoundError("user", email);
    return user;
  }
}

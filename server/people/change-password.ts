import type { Actor } from "../activity/activity-entry.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import type { SessionId } from "../ids.ts";
import type { Attempts } from "./attempts.ts";
import { checkPassword } from "./check-person.ts";
import { InvalidPersonFieldError } from "./errors.ts";
import type { Passwords } from "./password.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { deleteSessions } from "./session-store.ts";
import { findUser, replacePassword } from "./user-store.ts";

const NOT_THEIRS = "That is not your present password.";

interface ChangePasswordDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
}

/** A password that is replaced, by whom and in which session. */
export interface PasswordChange {
  readonly from: string;
  readonly to: string;
  readonly sessionId: SessionId;
  readonly by: Actor;
}

/** Makes what gives users other passwords. */
export function createChangePassword({ database, clock, passwords, attempts }: ChangePasswordDependencies) {
  /**
   * Gives a user another password, and ends their other sessions.
   * @throws {InvalidPersonFieldError} also when the present password is not that.
   * @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
   */
  return async ({ from, to, by, sessionId }: PasswordChange): Promise<void> => {
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
  };
}

import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import type { UserId } from "../ids.ts";
import {
  deleteOperator,
  findRole,
  insertOperator,
  listOperators,
  requireAnotherAdmin,
} from "./operator-store.ts";
import type { Operator } from "./person.ts";
import { deleteSessions } from "./session-store.ts";
import { findUser, findUserByEmail } from "./user-store.ts";

/** The people who run the shop. */
export function createOperators({ database }: { readonly database: Database }) {
  /**
   * Takes a user's role away and ends their sessions, at once; what they are a member of stays, and they sign in to it anew.
   * @throws {NotFoundError} no such operator. @throws {LastAdminError}
   */
  const remove = (userId: UserId): Promise<void> =>
    transaction(database, async (tx) => {
      await requireAnotherAdmin(tx, userId);
      const [user, role] = [await findUser(tx, userId), await findRole(tx, userId)];
      if (user === null || role === null) throw new NotFoundError("operator", userId);
      await deleteOperator(tx, userId);
      await deleteSessions(tx, userId);
      await recordAction(tx, { operation: "removeOperator", targetId: user.email, before: { role } });
    });

  return {
    /** All of them, by e-mail. */
    list: (): Promise<Operator[]> => listOperators(database),

    remove,

    /** The same by the e-mail. @throws {NotFoundError} @throws {LastAdminError} */
    async removeByEmail(email: string): Promise<void> {
      const user = await findUserByEmail(database, email);
      if (user === null) throw new NotFoundError("operator", email);
      await remove(user.userId);
    },
  };
}

/** Makes a user an operator, or gives one another role. @throws {LastAdminError} they are the only one, and would be it no more. */
export async function putOperator(
  tx: Transaction,
  operator: Pick<Operator, "userId" | "role">,
  nowMs: number,
): Promise<void> {
  if (operator.role !== "admin") await requireAnotherAdmin(tx, operator.userId);
  await insertOperator(tx, operator, nowMs);
}

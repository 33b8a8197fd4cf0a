import type { Actor } from "../activity/activity-entry.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import type { SessionId, UserId } from "../ids.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { SecondFactorError, WrongCodeError } from "./errors.ts";
import {
  confirmTotpSecret,
  countRecoveryCodes,
  deleteIdleRecoveryCodes,
  deleteTotpSecret,
  findSecondFactors,
  findTotpSecret,
  putUnconfirmedTotpSecret,
  replaceRecoveryCodes,
  type StoredTotpSecret,
  useRecoveryCode,
  useTotpStep,
} from "./factor-store.ts";
import type { User } from "./person.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { deleteSessions } from "./session-store.ts";
import { newTotpSecret, stepOfCode, totpUri } from "./totp.ts";
import { lockUser } from "./user-store.ts";

/** What second factors need. */
export interface FactorsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Cipher;
  /** Is told before the first secret is encrypted, so that no process starts without its key later. */
  recordEncryptionKey(): Promise<void>;
}

/** What an app for codes shows beside them. */
const ISSUER = "Prepaid code shop";

/** Which second factors a user has, and how many recovery codes for when they are lost. */
export interface FactorsOfUser {
  readonly hasTotp: boolean;
  readonly hasPasskeys: boolean;
  readonly recoveryCodesLeft: number;
}

export type Factors = ReturnType<typeof createFactors>;

/** A user's second factors: codes of an app (TOTP), and recovery codes for when it or a passkey is lost. */
export function createFactors({ database, clock, cipher, recordEncryptionKey }: FactorsDependencies) {
  const open = ({ userId, ciphertext }: StoredTotpSecret) =>
    cipher.decrypt(ciphertext, totpContext(userId)).toString();

  return {
    /** Which a user has, and how many recovery codes are left. */
    ofUser: (userId: UserId): Promise<FactorsOfUser> => factorsOf(database, userId),

    /**
     * Makes a secret for a user's app, which becomes a factor when it is confirmed; one that was not confirmed is replaced. The
     * secret is in the answer and never again. @throws {SecondFactorError} there is a factor already.
     */
    async begin({ userId, email }: Pick<User, "userId" | "email">): Promise<{ secret: string; uri: string }> {
      const secret = newTotpSecret();
      await recordEncryptionKey();
      const ciphertext = cipher.encrypt(secret, totpContext(userId));
      if (!(await putUnconfirmedTotpSecret(database, userId, ciphertext))) throw new SecondFactorError(true);
      return { secret, uri: totpUri(secret, ISSUER, email) };
    },

    /**
     * Makes the secret a factor, and ends the user's other sessions, which began without it.
     * @returns recovery codes, which are in the answer and never again.
     * @throws {WrongCodeError} @throws {SecondFactorError} there is no secret to be confirmed.
     */
    async confirm(code: string, sessionId: SessionId, by: Actor): Promise<string[]> {
      const { userId } = by;
      const secret = await findTotpSecret(database, userId);
      if (secret === null || secret.isConfirmed) throw new SecondFactorError(secret !== null);
      const step = stepOfCode(open(secret), code, clock());
      if (step === null) throw new WrongCodeError();
      const codes = newRecoveryCodes();
      await transaction(database, async (tx) => {
        await lockUser(tx, userId);
        if (!(await confirmTotpSecret(tx, secret, step, clock()))) throw new WrongCodeError();
        await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode));
        await deleteSessions(tx, userId, sessionId);
        await recordOwnAct(tx, by, { action: "totp_added" }, clock());
      });
      return codes;
    },

    /** Takes the app away, and the recovery codes where nothing else is left to need them. */
    remove: (by: Actor): Promise<void> =>
      transaction(database, async (tx) => {
        await lockUser(tx, by.userId);
        const secret = await findTotpSecret(tx, by.userId);
        await deleteTotpSecret(tx, by.userId);
        await deleteIdleRecoveryCodes(tx, by.userId);
        if (secret?.isConfirmed === true) await recordOwnAct(tx, by, { action: "totp_removed" }, clock());
      }),

    /** New recovery codes in the place of all that there are. @throws {SecondFactorError} there is no factor. */
    async renewRecoveryCodes(by: Actor): Promise<string[]> {
      const { userId } = by;
      if ((await findSecondFactors(database, userId)).length === 0) throw new SecondFactorError(false);
      const codes = newRecoveryCodes();
      await transaction(database, async (tx) => {
        await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode));
        await recordOwnAct(tx, by, { action: "recovery_codes_renewed" }, clock());
      });
      return codes;
    },

    /** Whether it is a code of the user's app that has not been used; it is used then. */
    async proveByTotp(userId: UserId, code: string): Promise<boolean> {
      const secret = await findTotpSecret(database, userId);
      if (secret?.isConfirmed !== true) return false;
      const step = stepOfCode(open(secret), code, clock());
      return step !== null && (await useTotpStep(database, userId, step));
    },

    /** Whether it is a recovery code of the user; it is used up then. */
    proveByRecoveryCode: (userId: UserId, code: string): Promise<boolean> =>
      useRecoveryCode(database, userId, hashRecoveryCode(code)),
  };
}

async function factorsOf(database: Database, userId: UserId): Promise<FactorsOfUser> {
  const factors = await findSecondFactors(database, userId);
  return {
    hasTotp: factors.includes("totp"),
    hasPasskeys: factors.includes("passkey"),
    recoveryCodesLeft: await countRecoveryCodes(database, userId),
  };
}

/** What binds a secret's ciphertext to its user. */
export function totpContext(userId: string): string {
  return `totp\0${userId}`;
}

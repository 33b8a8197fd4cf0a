import type { Actor } from "../activity/activity-entry.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import { newId, type PasskeyId, type SessionId, type UserId } from "../ids.ts";
import type { Attempts } from "./attempts.ts";
import { checkPasskeyName } from "./check-person.ts";
import { PasskeyExistsError, PasskeyRefusedError, TooManyPasskeysError } from "./errors.ts";
import { deleteIdleRecoveryCodes, findSecondFactors, replaceRecoveryCodes } from "./factor-store.ts";
import {
  CHALLENGE_MS,
  type ChallengePurpose,
  MAX_PASSKEYS,
  type MadeCredential,
  type Passkey,
  type PasskeyProof,
  type StoredPasskey,
} from "./passkey.ts";
import {
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  putChallenge,
  updatePasskeyName,
  useChallenge,
  usePasskey,
} from "./passkey-store.ts";
import {
  createPasskeyVerification,
  PASSKEY_ALGORITHMS,
  toUserHandle,
  type VerifiedCredential,
  type VerifiedSignature,
} from "./passkey-verification.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import type { UserSession } from "./session.ts";
import { deleteSessions } from "./session-store.ts";
import { newToken } from "./token.ts";
import { lockUser } from "./user-store.ts";

/** What passkeys need. */
export interface PasskeysDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly attempts: Pick<Attempts, "begin">;
  /** Where people open the page: passkeys are for its host, and used from its origin alone. */
  readonly pageUrl: string;
}

/** What a browser is asked for: a new passkey. */
export interface PasskeyCreation {
  readonly challenge: string;
  readonly userHandle: string;
  /** Those that the user has, in base64url. */
  readonly excludedCredentials: readonly string[];
  readonly algorithms: readonly number[];
}

/** What a browser is asked for: a signature. */
export interface PasskeyChallenge {
  readonly challenge: string;
  /** Those that may sign, in base64url; none: whichever the person chooses. */
  readonly allowedCredentials: readonly string[];
}

/** A passkey that somebody adds in a session. */
export interface PasskeyAddition {
  readonly name: string;
  readonly made: MadeCredential;
  readonly sessionId: SessionId;
  readonly by: Actor;
}

/** A passkey that was added. */
export interface AddedPasskey {
  readonly passkey: Passkey;
  /** In this answer and never again; null: there was a second factor already. */
  readonly recoveryCodes: readonly string[] | null;
}

/** A passkey whose signature was right; its challenge is still to be used up. */
export interface VerifiedPasskey extends VerifiedSignature {
  readonly passkey: StoredPasskey;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Passkeys of people: a passkey looks who the person is, and so counts as both factors. */
export function createPasskeys(dependencies: PasskeysDependencies) {
  const { database, clock } = dependencies;
  const verification = createPasskeyVerification(dependencies.pageUrl);
  const challenges = createChallenges(dependencies);

  return {
    /** A user's passkeys, the newest first. */
    list: (userId: UserId): Promise<Passkey[]> => listPasskeys(database, userId),

    ...challenges,

    /**
     * Keeps a passkey that a browser has made. The first second factor brings recovery codes and ends the user's other sessions,
     * which began without it.
     * @throws {InvalidPersonFieldError} @throws {PasskeyRefusedError} @throws {PasskeyExistsError} @throws {TooManyPasskeysError}
     */
    async add(addition: PasskeyAddition): Promise<AddedPasskey> {
      checkPasskeyName(addition.name);
      const verified = await verification.made(addition.made);
      if (verified === null) throw new PasskeyRefusedError();
      return transaction(database, (tx) => insert(tx, addition, verified, clock()));
    },

    /** @throws {InvalidPersonFieldError} @throws {NotFoundError} the user has no such passkey. */
    async rename(passkeyId: PasskeyId, name: string, by: Actor): Promise<Passkey> {
      checkPasskeyName(name);
      return transaction(database, async (tx) => {
        if (!(await updatePasskeyName(tx, { userId: by.userId, passkeyId }, name)))
          throw new NotFoundError("passkey", passkeyId);
        const renaming = { action: "passkey_renamed", targetId: passkeyId, targetName: name } as const;
        await recordOwnAct(tx, by, renaming, clock());
        return requirePasskey(tx, by.userId, passkeyId);
      });
    },

    /** Takes a passkey away, and the recovery codes with the last second factor. @throws {NotFoundError} */
    remove: (passkeyId: PasskeyId, by: Actor): Promise<void> =>
      transaction(database, async (tx) => {
        await lockUser(tx, by.userId);
        const { name } = await requirePasskey(tx, by.userId, passkeyId);
        await deletePasskey(tx, { userId: by.userId, passkeyId });
        await deleteIdleRecoveryCodes(tx, by.userId);
        const removal = { action: "passkey_removed", targetId: passkeyId, targetName: name } as const;
        await recordOwnAct(tx, by, removal, clock());
      }),

    /** Whose passkey has signed; null when it is nobody's or not right, after the same work. */
    async verify(proof: PasskeyProof): Promise<VerifiedPasskey | null> {
      const passkey = await findPasskeyByCredential(database, proof.credentialId);
      const signed = await verification.signed(proof, passkey);
      return passkey === null || signed === null ? null : { ...signed, passkey };
    },

    /** Uses a challenge up, and records that the passkey was used. @returns whether both are still as they were. */
    async use(
      tx: Transaction,
      { challenge, passkey, signCount }: VerifiedPasskey,
      of: { readonly purpose: ChallengePurpose; readonly sessionId: SessionId | null },
    ): Promise<boolean> {
      const nowMs = clock();
      return (
        (await useChallenge(tx, { ...of, challenge }, nowMs)) &&
        (await usePasskey(tx, passkey, signCount, nowMs))
      );
    },
  };
}

/** What browsers are asked for, each with a challenge that is good once and for a while. */
function createChallenges({ database, clock, attempts }: PasskeysDependencies) {
  async function challengeFor(purpose: ChallengePurpose, sessionId: SessionId | null): Promise<string> {
    const [challenge, nowMs] = [newToken(), clock()];
    const expiresAtMs = nowMs + CHALLENGE_MS;
    await transaction(database, (tx) =>
      putChallenge(tx, { challenge, purpose, sessionId }, { nowMs, expiresAtMs }),
    );
    return challenge;
  }

  const credentialsOf = async (userId: UserId) =>
    (await listPasskeys(database, userId)).map(({ credentialId }) => credentialId.toString("base64url"));

  return {
    /** What a browser is to make a passkey with. @throws {TooManyPasskeysError} */
    async beginAdding({ sessionId, userId }: OwnedSession): Promise<PasskeyCreation> {
      const excludedCredentials = await credentialsOf(userId);
      if (excludedCredentials.length >= MAX_PASSKEYS) throw new TooManyPasskeysError();
      const challenge = await challengeFor("add", sessionId);
      return {
        challenge,
        userHandle: toUserHandle(userId),
        excludedCredentials,
        algorithms: PASSKEY_ALGORITHMS,
      };
    },

    /** What whoever has a passkey is to sign. @param address where they are @throws {TooManyAttemptsError} */
    async beginSignIn(address: string): Promise<PasskeyChallenge> {
      await attempts.begin(address);
      return { challenge: await challengeFor("sign_in", null), allowedCredentials: [] };
    },

    /** What a passkey of the session's user is to sign. */
    async beginStepUp({ sessionId, userId }: OwnedSession): Promise<PasskeyChallenge> {
      const allowedCredentials = await credentialsOf(userId);
      return { challenge: await challengeFor("step_up", sessionId), allowedCredentials };
    },
  };
}

type OwnedSession = Pick<UserSession, "sessionId" | "userId">;

async function insert(
  tx: Transaction,
  { name, sessionId, by }: PasskeyAddition,
  { challenge, ...credential }: VerifiedCredential,
  nowMs: number,
): Promise<AddedPasskey> {
  const { userId } = by;
  await lockUser(tx, userId);
  if (!(await useChallenge(tx, { challenge, purpose: "add", sessionId }, nowMs)))
    throw new PasskeyRefusedError();
  if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) throw new TooManyPasskeysError();
  const isFirst = (await findSecondFactors(tx, userId)).length === 0;
  const passkey = { passkeyId: newId("psk"), userId, name, createdAtMs: nowMs, lastUsedAtMs: null };
  if (!(await insertPasskey(tx, { ...passkey, ...credential }))) throw new PasskeyExistsError();
  const added = { action: "passkey_added", targetId: passkey.passkeyId, targetName: name } as const;
  await recordOwnAct(tx, by, added, nowMs);
  if (!isFirst) return { passkey, recoveryCodes: null };
  const recoveryCodes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, userId, recoveryCodes.map(hashRecoveryCode));
  await deleteSessions(tx, userId, sessionId);
  return { passkey, recoveryCodes };
}

/** @throws {NotFoundError} the user has no such passkey. */
async function requirePasskey(tx: Transaction, userId: UserId, passkeyId: PasskeyId): Promise<Passkey> {
  const passkey = await findPasskey(tx, userId, passkeyId);
  if (passkey === null) throw new NotFoundError("passkey", passkeyId);
  return passkey;
}

import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import { newId, type SessionId, type UserId } from "../ids.ts";
import type { Attempts } from "./attempts.ts";
import { SignInRefusedError, StepUpRequiredError, WrongCodeError } from "./errors.ts";
import { findTotpSecret } from "./factor-store.ts";
import type { Factors } from "./factors.ts";
import type { Passwords } from "./password.ts";
import { emailKey } from "./person.ts";
import {
  type Audience,
  FACTOR_WAIT_MS,
  hasRecentFactor,
  type Origin,
  type Proof,
  SESSION_LIMITS,
  type SignedIn,
  type UserSession,
} from "./session.ts";
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessions,
  endWaiting,
  findSignedIn,
  insertSession,
  listSessions,
  updateFactorTime,
  updateLastSeen,
} from "./session-store.ts";
import { hashToken, newToken } from "./token.ts";
import { findUser, findUserByEmail, type KnownUser, lockUser } from "./user-store.ts";

/** What sessions need. */
export interface SessionsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly factors: Factors;
}

/** A session's token, which is in the answer and nowhere else: only its hash is stored. */
export interface NewSession {
  readonly token: string;
  readonly signedIn: SignedIn;
}

/** Who wants to sign in, from where. */
export interface SignInRequest extends Origin {
  readonly email: string;
  readonly password: string;
}

const MAX_USER_AGENT_LENGTH = 255;
const SEEN_INTERVAL_MS = 60_000;

/** Sessions of the people whom one audience lets in. */
export function createSessions(dependencies: SessionsDependencies, audience: Audience) {
  const { database, clock, attempts } = dependencies;
  const prove = createProve(dependencies);
  const begin = createBegin(dependencies, audience);

  /** Whom a token lets in; null when it is none, or has ended, or its user may not sign in any more. As it is now. */
  async function authenticate(token: string): Promise<SignedIn | null> {
    const nowMs = clock();
    const signedIn = await findSignedIn(database, hashToken(token), audience, nowMs);
    if (signedIn === null) return null;
    const { sessionId, lastSeenAtMs } = signedIn.session;
    if (nowMs - lastSeenAtMs >= SEEN_INTERVAL_MS) await updateLastSeen(database, sessionId, nowMs);
    return signedIn;
  }

  return {
    authenticate,

    /**
     * Begins a session, which may still wait for the second factor. Unknown people are answered like wrong passwords, and as late.
     * @throws {SignInRefusedError} @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
     */
    async signIn({ email, password, ...origin }: SignInRequest): Promise<NewSession> {
      const begun = await attempts.make(origin.address, emailKey(email), async () => {
        const user = await findUserByEmail(database, email);
        const isRight = await dependencies.passwords.verify(password, user?.passwordHash ?? null);
        return user !== null && isRight ? begin(user, origin) : null;
      });
      if (begun === null) throw new SignInRefusedError();
      return begun;
    },

    /**
     * Gives a session the second factor that it waits for, and with it a new token: whoever had the old one has nothing.
     * @throws {WrongCodeError} also when it waits for none. @throws {TooManyAttemptsError}
     */
    async giveFactor({ session, user }: SignedIn, proof: Proof, { address }: Origin): Promise<NewSession> {
      if (!session.awaitsFactor || proof.kind === "password") throw new WrongCodeError();
      await prove(user.userId, proof, address);
      const [token, nowMs] = [newToken(), clock()];
      const expiresAtMs = nowMs + SESSION_LIMITS[audience].lifeMs;
      const proved = { tokenHash: hashToken(token), expiresAtMs, nowMs };
      if (!(await endWaiting(database, session.sessionId, proved))) throw new WrongCodeError();
      const signedIn = await authenticate(token);
      if (signedIn === null) throw new SignInRefusedError();
      return { token, signedIn };
    },

    /**
     * Proves again who the user is, so that for ten minutes they may do what wants it: by the second factor where there is one,
     * else by the password. @throws {WrongCodeError} @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
     */
    async stepUp({ session, user }: SignedIn, proof: Proof, { address }: Origin): Promise<void> {
      if (session.awaitsFactor) throw new WrongCodeError();
      await prove(user.userId, proof, address);
      await updateFactorTime(database, session.sessionId, clock());
    },

    /** @throws {StepUpRequiredError} the session's user has not proved lately who they are. */
    requireRecentFactor({ session }: SignedIn): void {
      if (!hasRecentFactor(session, clock())) throw new StepUpRequiredError();
    },

    /** A user's sessions, the newest first. */
    list: (userId: UserId): Promise<UserSession[]> => listSessions(database, userId, audience, clock()),

    /** Ends one session of a user, at once. @throws {NotFoundError} it is none of theirs. */
    async end(userId: UserId, sessionId: SessionId): Promise<void> {
      if (!(await deleteSession(database, userId, sessionId))) throw new NotFoundError("session", sessionId);
    },

    /** Ends all sessions of a user but one, at once. @returns how many. */
    endOthers: (userId: UserId, except: SessionId): Promise<number> =>
      deleteSessions(database, userId, except),
  };
}

/** @returns what begins a session of a user whose password was right; null when it has been changed since, or they are nobody's
 * member. */
function createBegin({ database, clock }: SessionsDependencies, audience: Audience) {
  return async (user: KnownUser, origin: Origin): Promise<NewSession | null> => {
    const [token, nowMs] = [newToken(), clock()];
    const tokenHash = hashToken(token);
    const signedIn = await transaction(database, async (tx) => {
      const { passwordHash = null } = (await lockUser(tx, user.userId)) ?? {};
      if (passwordHash === null || passwordHash !== user.passwordHash) return null;
      const awaitsFactor = (await findTotpSecret(tx, user.userId))?.isConfirmed === true;
      const session = newSession(user.userId, awaitsFactor, origin, nowMs);
      const lifeMs = awaitsFactor ? FACTOR_WAIT_MS : SESSION_LIMITS[audience].lifeMs;
      await deleteEndedSessions(tx, user.userId, nowMs);
      await insertSession(tx, tokenHash, audience, { ...session, expiresAtMs: nowMs + lifeMs });
      const begun = await findSignedIn(tx, tokenHash, audience, nowMs);
      if (begun === null) await deleteSession(tx, user.userId, session.sessionId);
      return begun;
    });
    return signedIn === null ? null : { token, signedIn };
  };
}

function newSession(userId: UserId, awaitsFactor: boolean, { address, userAgent }: Origin, nowMs: number) {
  return {
    sessionId: newId("ses"),
    userId,
    awaitsFactor,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    factorAtMs: nowMs,
    address,
    userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  };
}

/** @returns what throws a {@link WrongCodeError} unless a proof is right. */
function createProve({ database, attempts, factors, passwords }: SessionsDependencies) {
  async function isRight(userId: UserId, proof: Proof): Promise<boolean> {
    if (proof.kind === "totp") return factors.proveByTotp(userId, proof.code);
    if (proof.kind === "recovery_code") return factors.proveByRecoveryCode(userId, proof.code);
    // The password alone is not enough for who has a second factor.
    if ((await factors.ofUser(userId)).hasTotp) return false;
    const user = await findUser(database, userId);
    return passwords.verify(proof.password, user?.passwordHash ?? null);
  }

  return async (userId: UserId, proof: Proof, address: string): Promise<void> => {
    const made = await attempts.make(address, userId, async () =>
      (await isRight(userId, proof)) ? true : null,
    );
    if (made === null) throw new WrongCodeError();
  };
}

import type { Act, Actor } from "../activity/activity-entry.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import { newId, type SessionId, type UserId } from "../ids.ts";
import type { Attempts } from "./attempts.ts";
import { PasskeyRefusedError, SignInRefusedError, StepUpRequiredError, WrongCodeError } from "./errors.ts";
import { findSecondFactors } from "./factor-store.ts";
import type { Factors } from "./factors.ts";
import type { Passkey, PasskeyProof } from "./passkey.ts";
import type { Passkeys, VerifiedPasskey } from "./passkeys.ts";
import type { Passwords } from "./password.ts";
import { emailKey } from "./person.ts";
import { recordOwnAct } from "./record-own-act.ts";
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
  readonly passkeys: Pick<Passkeys, "verify" | "use">;
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

export type Sessions = ReturnType<typeof createSessions>;

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
        return user !== null && isRight ? begin(user.userId, origin, byPassword(user)) : null;
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
      await transaction(database, async (tx) => {
        if (!(await endWaiting(tx, session.sessionId, proved))) throw new WrongCodeError();
        await recordOwnAct(tx, actorFor(audience, { ...user, address }), { action: "signed_in" }, nowMs);
      });
      const signedIn = await authenticate(token);
      if (signedIn === null) throw new SignInRefusedError();
      return { token, signedIn };
    },

    /**
     * Proves again who the user is, so that for ten minutes they may do what wants it: by the second factor where there is one,
     * else by the password. @throws {WrongCodeError} @throws {TooManyAttemptsError} @throws {PasswordsBusyError}
     */
    async stepUp(signedIn: SignedIn, proof: Proof, { address }: Origin): Promise<SignedIn> {
      const { session, user } = signedIn;
      if (session.awaitsFactor) throw new WrongCodeError();
      await prove(user.userId, proof, address);
      const factorAtMs = clock();
      await updateFactorTime(database, session.sessionId, factorAtMs);
      return { ...signedIn, session: { ...session, factorAtMs } };
    },

    /** @throws {StepUpRequiredError} the session's user has not proved lately who they are. */
    requireRecentFactor({ session }: SignedIn): void {
      if (!hasRecentFactor(session, clock())) throw new StepUpRequiredError();
    },

    ...createPasskeyWays(dependencies, begin),
    ...createEndings(dependencies, audience),
  };
}

/** What is done with a passkey in the place of password and codes. */
function createPasskeyWays(
  { database, clock, attempts, passkeys }: SessionsDependencies,
  begin: ReturnType<typeof createBegin>,
) {
  return {
    /**
     * Begins a session by a passkey alone, which waits for nothing. One that is not known is answered like a wrong one, and as late.
     * @throws {SignInRefusedError} @throws {TooManyAttemptsError}
     */
    async signInByPasskey(proof: PasskeyProof, origin: Origin): Promise<NewSession> {
      const begun = await attempts.make(origin.address, `passkey:${proof.credentialId}`, async () => {
        const verified = await passkeys.verify(proof);
        return verified === null
          ? null
          : begin(verified.passkey.userId, origin, byPasskey(passkeys, verified));
      });
      if (begun === null) throw new SignInRefusedError("passkey");
      return begun;
    },

    /**
     * Proves by a passkey of the user, which has signed a challenge of this session, again who they are.
     * @throws {PasskeyRefusedError} @throws {TooManyAttemptsError}
     */
    async stepUpByPasskey(signedIn: SignedIn, proof: PasskeyProof, { address }: Origin): Promise<SignedIn> {
      const { sessionId, userId } = signedIn.session;
      const made = await attempts.make(address, userId, async () => {
        const verified = await passkeys.verify(proof);
        if (verified?.passkey.userId !== userId) return null;
        return transaction(database, async (tx) => {
          if (!(await passkeys.use(tx, verified, { purpose: "step_up", sessionId }))) return null;
          const factorAtMs = clock();
          await updateFactorTime(tx, sessionId, factorAtMs);
          return factorAtMs;
        });
      });
      if (made === null) throw new PasskeyRefusedError();
      return { ...signedIn, session: { ...signedIn.session, factorAtMs: made } };
    },
  };
}

/** What a user sees and ends of their own sessions. */
function createEndings({ database, clock }: SessionsDependencies, audience: Audience) {
  return {
    /** A user's sessions, the newest first. */
    list: (userId: UserId): Promise<UserSession[]> => listSessions(database, userId, audience, clock()),

    /** Ends the session that asks, at once. @throws {NotFoundError} it has ended meanwhile. */
    async signOut({ session: { sessionId, userId } }: SignedIn): Promise<void> {
      if (!(await deleteSession(database, userId, sessionId))) throw new NotFoundError("session", sessionId);
    },

    /** Ends one session of a user, at once. @throws {NotFoundError} it is none of theirs. */
    end: (sessionId: SessionId, by: Actor): Promise<void> =>
      transaction(database, async (tx) => {
        if (!(await deleteSession(tx, by.userId, sessionId))) throw new NotFoundError("session", sessionId);
        await recordOwnAct(
          tx,
          actorFor(audience, by),
          { action: "session_ended", targetId: sessionId },
          clock(),
        );
      }),

    /** Ends all sessions of a user but one, at once. @returns how many. */
    endOthers: (except: SessionId, by: Actor): Promise<number> =>
      transaction(database, async (tx) => {
        const ended = await deleteSessions(tx, by.userId, except);
        if (ended > 0)
          await recordOwnAct(tx, actorFor(audience, by), { action: "other_sessions_ended" }, clock());
        return ended;
      }),
  };
}

/** What a session is begun on. */
interface Ground {
  /** Whether it still holds, while nobody else changes the user. */
  holds(tx: Transaction, user: KnownUser): Promise<boolean>;
  /** Whether a second factor is still to come. */
  awaitsFactor(tx: Transaction, userId: UserId): Promise<boolean>;
  /** What is recorded of it; null where nothing is. */
  readonly passkey: Passkey | null;
}

const byPassword = ({ passwordHash: right }: KnownUser): Ground => ({
  holds: async (_tx, { passwordHash }) => passwordHash !== null && passwordHash === right,
  awaitsFactor: async (tx, userId) => (await findSecondFactors(tx, userId)).length > 0,
  passkey: null,
});

/** A passkey looks who the person is, and so counts as both factors. */
const byPasskey = (passkeys: Pick<Passkeys, "use">, verified: VerifiedPasskey): Ground => ({
  holds: (tx) => passkeys.use(tx, verified, { purpose: "sign_in", sessionId: null }),
  awaitsFactor: async () => false,
  passkey: verified.passkey,
});

/** @returns what begins a session; null when its ground does not hold any more, or its user is nobody's member. */
function createBegin({ database, clock }: SessionsDependencies, audience: Audience) {
  return async (userId: UserId, origin: Origin, ground: Ground): Promise<NewSession | null> => {
    const [token, nowMs] = [newToken(), clock()];
    const tokenHash = hashToken(token);
    const signedIn = await transaction(database, async (tx) => {
      const user = await lockUser(tx, userId);
      if (user === null || !(await ground.holds(tx, user))) return null;
      const awaitsFactor = await ground.awaitsFactor(tx, userId);
      const session = newSession(userId, awaitsFactor, origin, nowMs);
      const lifeMs = awaitsFactor ? FACTOR_WAIT_MS : SESSION_LIMITS[audience].lifeMs;
      await deleteEndedSessions(tx, userId, nowMs);
      await insertSession(tx, tokenHash, audience, { ...session, expiresAtMs: nowMs + lifeMs });
      const begun = await findSignedIn(tx, tokenHash, audience, nowMs);
      if (begun === null) await deleteSession(tx, userId, session.sessionId);
      else if (!awaitsFactor)
        await recordOwnAct(tx, actorFor(audience, { ...user, ...origin }), signedInBy(ground.passkey), nowMs);
      return begun;
    });
    return signedIn === null ? null : { token, signedIn };
  };
}

/** As whom accounts see somebody begin and end sessions; null of the console's, which are no business of theirs. */
function actorFor(audience: Audience, { userId, email, address }: Actor): Actor | null {
  return audience === "account" ? { userId, email, address } : null;
}

function signedInBy(passkey: Passkey | null): Act {
  return {
    action: "signed_in",
    targetId: passkey?.passkeyId ?? null,
    targetName: passkey?.name ?? null,
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
    if ((await findSecondFactors(database, userId)).length > 0) return false;
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

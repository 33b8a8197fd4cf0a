import type { SessionId, UserId } from "../ids.ts";
import type { Membership, OperatorRole, User } from "./person.ts";

/** Whom a session lets in: to the account center, or to the operator console. */
export type Audience = "account" | "operator";

interface SessionLimits {
  /** How long it may go unused. */
  readonly idleMs: number;
  /** How long it lasts at most. */
  readonly lifeMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const SESSION_LIMITS: Readonly<Record<Audience, SessionLimits>> = {
  account: { idleMs: 24 * HOUR_MS, lifeMs: 14 * 24 * HOUR_MS },
  operator: { idleMs: 30 * MINUTE_MS, lifeMs: 12 * HOUR_MS },
};

/** How long somebody who has given the password may take for the second factor. */
export const FACTOR_WAIT_MS = 10 * MINUTE_MS;
/** How long it counts that a factor was given, for what wants one. */
export const STEP_UP_MS = 10 * MINUTE_MS;

/** Where a session was begun. */
export interface Origin {
  /** The network address. */
  readonly address: string;
  /** What the program that asked calls itself. */
  readonly userAgent: string;
}

/** A user's session in one browser. */
export interface UserSession extends Origin {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  /** Whether the second factor is still to come: until then it lets its user do nothing else. */
  readonly awaitsFactor: boolean;
  readonly createdAtMs: number;
  /** When it ends by itself, if it is not used. */
  readonly endsAtMs: number;
  /** When it was used last, up to a minute late. */
  readonly lastSeenAtMs: number;
  /** When its user last proved who they are. */
  readonly factorAtMs: number;
}

/** A second factor: codes of an app, or passkeys. */
export type SecondFactor = "totp" | "passkey";

/** Who asks: a session that is valid, with its user as they are at this moment. */
export interface SignedIn {
  readonly session: UserSession;
  readonly user: User;
  /** Those of accounts that are not suspended: at least one in the account center, none in the console. */
  readonly memberships: readonly Membership[];
  /** As which they run the shop; null in the account center. */
  readonly operatorRole: OperatorRole | null;
  /** Those that the user has. */
  readonly secondFactors: readonly SecondFactor[];
}

/** How somebody proves again who they are. */
export type Proof =
  | { readonly kind: "password"; readonly password: string }
  | { readonly kind: "totp"; readonly code: string }
  | { readonly kind: "recovery_code"; readonly code: string };

/** Whether it is so short a time ago that a factor was given that it still counts. */
export function hasRecentFactor({ factorAtMs, awaitsFactor }: UserSession, nowMs: number): boolean {
  return !awaitsFactor && nowMs - factorAtMs < STEP_UP_MS;
}

import type { PasskeyId, UserId } from "../ids.ts";

/** A credential that a browser or a security key holds for a user, as people see it. */
export interface Passkey {
  readonly passkeyId: PasskeyId;
  readonly userId: UserId;
  /** What its user knows it by. */
  readonly name: string;
  readonly createdAtMs: number;
  /** null: never. */
  readonly lastUsedAtMs: number | null;
}

/** What is known of a credential besides, to judge what it has signed. */
export interface StoredPasskey extends Passkey {
  readonly credentialId: Buffer;
  /** As COSE writes it. */
  readonly publicKey: Buffer;
  /** How often it had signed at its last use; 0 of those that do not count. */
  readonly signCount: number;
}

/** What a challenge is for. */
export type ChallengePurpose = "add" | "sign_in" | "step_up";

/** What the browser gives of a passkey that it has made; all in base64url. */
export interface MadeCredential {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** What the browser gives of a passkey that has signed; all in base64url. */
export interface PasskeyProof {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** The user that the authenticator knows it by; null where it does not say. */
  readonly userHandle: string | null;
}

export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_LENGTH = 100;
/** How long a challenge is good. */
export const CHALLENGE_MS = 5 * 60 * 1000;

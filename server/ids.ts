import { v7 as uuidv7 } from "uuid";

/** Identifiers made by this service: a prefix that names the kind and the hex digits of a time-ordered UUIDv7. */
export type AccountId = `acc_${string}`;
export type KeyId = `key_${string}`;
export type OrderId = `ord_${string}`;
export type SegmentId = `seg_${string}`;
export type CallId = `call_${string}`;
export type UserId = `usr_${string}`;
export type InvitationId = `inv_${string}`;
export type SessionId = `ses_${string}`;

type Prefix = "acc" | "key" | "ord" | "seg" | "call" | "usr" | "inv" | "ses";

const HEX_DIGITS = /^[0-9a-f]{32}$/;

/** A new identifier of a kind, e.g. `ord_01938c8e6f2b7c3e9a4d5f6071829304`; later ones sort after earlier ones. */
export function newId<P extends Prefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${uuidv7().replaceAll("-", "")}`;
}

/** What the ids of a kind that are made at a moment begin from: all made before it sort before, by the same clock. */
export function firstIdAt<P extends Prefix>(prefix: P, timeMs: number): `${P}_${string}` {
  return `${prefix}_${timeMs.toString(16).padStart(12, "0")}${"0".repeat(20)}`;
}

/** The text as an identifier of that kind, or `null` when it cannot be one. */
export function parseId<P extends Prefix>(prefix: P, text: string): `${P}_${string}` | null {
  if (!text.startsWith(`${prefix}_`) || !HEX_DIGITS.test(text.slice(prefix.length + 1))) return null;
  return text as `${P}_${string}`;
}

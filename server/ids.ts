import { randomBytes } from "node:crypto";
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
export type ActivityId = `act_${string}`;
export type PasskeyId = `psk_${string}`;

type Prefix = "acc" | "key" | "ord" | "seg" | "call" | "usr" | "inv" | "ses" | "act" | "psk";

const HEX_DIGITS = /^[0-9a-f]{32}$/;

/** A new identifier of a kind, e.g. `ord_01938c8e6f2b7c3e9a4d5f6071829304`; later ones sort after earlier ones. */
export function newId<P extends Prefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${nextUuid().toString("hex")}`;
}

const RANDOM_BYTES_PER_ID = 16;
/** Asked of the system for so many ids at once, which takes about as long as for one. */
const RANDOM_BYTES_AT_ONCE = 256 * RANDOM_BYTES_PER_ID;
/** The first of a millisecond leaves half of the numbers to those that follow it. */
const MAX_FIRST_SEQUENCE = 0x7f_ff_ff_ff;
let randomness = Buffer.alloc(0);
let lastMs = Number.NEGATIVE_INFINITY;
let sequence = 0;

/**
 * A UUIDv7 as the library makes it by itself, but for asking the system at each one: those of one millisecond are numbered from
 * a random beginning, and so sort in the order in which they were made.
 */
function nextUuid(): Buffer {
  if (randomness.length === 0) randomness = randomBytes(RANDOM_BYTES_AT_ONCE);
  const random = randomness.subarray(0, RANDOM_BYTES_PER_ID);
  randomness = randomness.subarray(RANDOM_BYTES_PER_ID);
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = random.readUInt32BE(6) & MAX_FIRST_SEQUENCE;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs += 1;
  }
  return uuidv7({ random, msecs: lastMs, seq: sequence }, Buffer.alloc(RANDOM_BYTES_PER_ID));
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

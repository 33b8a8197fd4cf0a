import { v7 as uuidv7 } from "uuid";

/** Identifiers made by this service: a prefix that names the kind and the hex digits of a time-ordered UUIDv7. */
export type AccountId = `acc_${string}`;
export type KeyId = `key_${string}`;
export type OrderId = `ord_${string}`;
export type SegmentId = `seg_${string}`;
export type CallId = `call_${string}`;

type Prefix = "acc" | "key" | "ord" | "seg" | "call";

const HEX_DIGITS = /^[0-9a-f]{32}$/;

/** A new identifier of a kind, e.g. `ord_01938c8e6f2b7c3e9a4d5f6071829304`; later ones sort after earlier ones. */
export function newId<P extends Prefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${uuidv7().replaceAll("-", "")}`;
}

/** The text as an identifier of that kind, or `null` when it cannot be one. */
export function parseId<P extends Prefix>(prefix: P, text: string): `${P}_${string}` | null {
  if (!text.startsWith(`${prefix}_`) || !HEX_DIGITS.test(text.slice(prefix.length + 1))) return null;
  return text as `${P}_${string}`;
}

// The kinds of text that settings are given as.
import { isIP } from "node:net";
import { z } from "zod";

/** One encryption key; a ring's first one encrypts, all decrypt. */
interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

const ENCRYPTION_KEY_BYTES = 32;

/** Decimal digits, from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of: ${words.join(", ")}` });
}

/** `on` is true, `off` is false. */
export const onOrOff = oneOf(["on", "off"]).transform((word) => word === "on");

/** A name that an HTTP header can have; the value is in lower case. */
export const headerName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, {
    error: "must be 1 to 64 letters, digits and dashes, the first a letter",
  })
  .transform((name) => name.toLowerCase());

/** What a secret that is sent in a header may consist of. */
export const printableAscii = z
  .string()
  .regex(/^[!-~]+$/, { error: "must be printable ASCII without spaces" });

const DATABASE_URL_FORM = "mysql://user:password@host:port/name";

/** The address of a database with its name. */
export const databaseUrl = z
  .string({ error: `is required (${DATABASE_URL_FORM})` })
  .refine(isDatabaseUrl, { error: `must be of the form ${DATABASE_URL_FORM}` });

/** What has a user or a password in another place, such as `mysql:/user:password@host`, would be shown as a name. */
function isDatabaseUrl(text: string): boolean {
  if (!text.startsWith("mysql://") || !URL.canParse(text)) return false;
  const { hostname, pathname, searchParams } = new URL(text);
  return (hostname !== "" || searchParams.has("socketPath")) && /^\/[^/:@]+$/.test(pathname);
}

/** An address that paths can be added to; the value has no slash at its end. */
export const baseUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "must be of the form https://host or https://host/path",
  })
  .refine((text) => !URL.canParse(text) || isPlainBase(new URL(text)), {
    error: "must have no query, no fragment and no password in it",
  })
  .transform((text) => text.replace(/\/+$/, ""));

/** Origins of pages, separated by commas. */
export const origins = z
  .string()
  .transform((text): readonly string[] => text.split(",").map((origin) => origin.trim()))
  .refine((all) => all.every((text) => URL.canParse(text) && new URL(text).origin === text), {
    error: "must be origins such as https://app.example, separated by commas",
  });

/** Addresses and networks, separated by commas. */
export const networks = z
  .string()
  .transform((text): readonly string[] => text.split(",").map((network) => network.trim()))
  .refine((all) => all.every(isNetwork), {
    error: "must be addresses or networks such as 10.0.0.5 or 10.1.0.0/16, separated by commas",
  });

function isNetwork(text: string): boolean {
  const [address = "", prefix = "0", ...more] = text.split("/");
  const version = isIP(address);
  const mostBits = version === 4 ? 32 : 128;
  return version !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= mostBits;
}

function isPlainBase({ search, hash, username, password }: URL): boolean {
  return `${search}${hash}${username}${password}` === "";
}

/** Encryption keys, the current one first. */
export const keyRing = z
  .string({
    error: "is required (id:base64 of 32 random bytes, the current key first, separated by commas)",
  })
  .transform(parseKeyRing);

function parseKeyRing(text: string, context: z.RefinementCtx): readonly EncryptionKey[] {
  const ring = text.split(",").map((entry) => {
    const [id = "", encoded = ""] = entry.trim().split(":", 2);
    return { id, key: Buffer.from(encoded, "base64") };
  });
  const malformed = ring.some(
    ({ id, key }) => !/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== ENCRYPTION_KEY_BYTES,
  );
  const repeated = new Set(ring.map(({ id }) => id)).size !== ring.length;
  // The value itself is a secret and must not be repeated in the message.
  if (malformed) context.addIssue("must be id:base64 of 32 random bytes, separated by commas");
  if (repeated) context.addIssue("names the same key id twice");
  return ring;
}

import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** A new API key: prefix, 32 random bytes in base62, and a checksum that lets a typing error be told at once. */
export function newSecret(prefix: string): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), SECRET_LENGTH);
  return prefix + random + checksum(prefix + random);
}

/** Whether the text can be an API key of this service at all: prefix, length, alphabet and checksum are right. */
export function isWellFormedSecret(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH)
    return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** What is stored of a key, and what it is looked up by. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** A form that can be shown: `svc_sk_ab12…wxyz`. */
export function previewSecret(prefix: string, secret: string): string {
  return `${secret.slice(0, prefix.length + 4)}…${secret.slice(-4)}`;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; rest > 0n; rest /= 62n) digits = ALPHABET[Number(rest % 62n)] + digits;
  return digits.padStart(length, "0");
}

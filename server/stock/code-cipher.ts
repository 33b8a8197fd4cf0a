import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 16;
const KEY_DIGEST_DIGITS = 16;

/** The keys that codes are encrypted with: the first is current, the others still open what they once closed. */
export type KeyRing = readonly { readonly id: string; readonly key: Buffer }[];

/** Encrypts and opens short texts. `context` is authenticated: what was closed for one place opens in no other. */
export interface Cipher {
  /** The key that encrypts. */
  readonly currentKeyId: string;
  /** What tells each key of the ring from others without showing it, `id:digest`; the current one is first. */
  readonly keyFingerprints: readonly string[];
  /** Whether what was closed under that key can be opened. */
  hasKey(keyId: string): boolean;
  encrypt(plaintext: string | Buffer, context: string): Buffer;
  /** @throws {Error} the key is not in the ring, or the bytes were not closed for this context. */
  decrypt(ciphertext: Buffer, context: string): Buffer;
}

/** AES-256-GCM with a random nonce; layout: length of key id, key id, nonce, tag, encrypted bytes. */
export function createCipher(keyRing: KeyRing): Cipher {
  const [current] = keyRing;
  if (current === undefined) throw new Error("The key ring is empty.");
  const currentKey = createSecretKey(current.key);
  const keysById = new Map(keyRing.map(({ id, key }) => [id, createSecretKey(key)]));
  const header = Buffer.concat([Buffer.from([Buffer.byteLength(current.id)]), Buffer.from(current.id)]);

  return {
    currentKeyId: current.id,
    keyFingerprints: keyRing.map(({ id, key }) => `${id}:${keyDigest(key)}`),
    hasKey: (keyId) => keysById.has(keyId),
    encrypt(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, currentKey, nonce).setAAD(Buffer.from(context));
      const encrypted = cipher.update(plaintext);
      cipher.final();
      return Buffer.concat([header, nonce, cipher.getAuthTag(), encrypted]);
    },
    decrypt(ciphertext, context) {
      const idEnd = 1 + (ciphertext[0] ?? 0);
      const id = ciphertext.toString("utf8", 1, idEnd);
      const key = keysById.get(id);
      if (key === undefined)
        throw new Error(`The encryption key ${JSON.stringify(id)} is not in CODE_ENCRYPTION_KEYS.`);
      const tagStart = idEnd + NONCE_BYTES;
      const decipher = createDecipheriv(ALGORITHM, key, ciphertext.subarray(idEnd, tagStart))
        .setAAD(Buffer.from(context))
        .setAuthTag(ciphertext.subarray(tagStart, tagStart + TAG_BYTES));
      return Buffer.concat([decipher.update(ciphertext.subarray(tagStart + TAG_BYTES)), decipher.final()]);
    },
  };
}

function keyDigest(key: Buffer): string {
  return createHmac("sha256", key).update("encryption key").digest("hex").slice(0, KEY_DIGEST_DIGITS);
}

/** The id of the encryption key that a ciphertext says it was made with; null when it says none. */
export function keyIdOf(ciphertext: Buffer): string | null {
  const length = ciphertext[0] ?? 0;
  return length === 0 || ciphertext.length < 1 + length ? null : ciphertext.toString("latin1", 1, 1 + length);
}

/** What binds a code's ciphertext to its place. */
export function codeContext(productId: string, sequence: bigint): string {
  return `code\0${productId}\0${sequence}`;
}

/** A keyed digest that tells whether a product has a code already, without showing the code. */
export function fingerprint(fingerprintKey: KeyObject, productId: string, code: string): Buffer {
  const digest = createHmac("sha256", fingerprintKey).update(`${productId}\0${code}`).digest();
  return digest.subarray(0, FINGERPRINT_BYTES);
}

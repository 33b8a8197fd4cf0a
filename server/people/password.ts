import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { PasswordsBusyError } from "./errors.ts";

const derive = promisify(argon2);

/** 19 MiB, two passes: what is computed of new passwords. Others are compared with what their hashes say. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const NONCE_BYTES = 16;
const TAG_BYTES = 32;
/** They share the threads of files and names with everything else that the process does. */
const AT_ONCE = 2;
/** As long as some ten seconds' work; more would wait in vain. */
const MAX_WAITING = 64;

const HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export type Passwords = ReturnType<typeof createPasswords>;

/** Hashes of passwords (Argon2id, in the usual form `$argon2id$v=19$…`), of which a process computes two at once. */
export function createPasswords() {
  const turns = bulkhead(AT_ONCE, MAX_WAITING);

  async function compute(password: string, parameters: Omit<Argon2Parameters, "message">): Promise<Buffer> {
    try {
      // The same password may be typed as different sequences of characters.
      const message = password.normalize("NFKC");
      return await turns.execute(() => derive("argon2id", { ...parameters, message }));
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? new PasswordsBusyError() : error;
    }
  }

  return {
    /** What is stored of a password. @throws {PasswordsBusyError} */
    async hash(password: string): Promise<string> {
      const nonce = randomBytes(NONCE_BYTES);
      return hashText(nonce, await compute(password, { ...COST, nonce, tagLength: TAG_BYTES }));
    },

    /**
     * Whether a password is the one that a hash was made of. Without a hash it is none, which takes as long to find out.
     * @throws {PasswordsBusyError}
     */
    async verify(password: string, hash: string | null): Promise<boolean> {
      const { tag, ...parameters } = readHash(hash ?? OF_NO_PASSWORD);
      const computed = await compute(password, { ...parameters, tagLength: tag.length });
      return timingSafeEqual(computed, tag) && hash !== null;
    },
  };
}

function hashText(nonce: Buffer, tag: Buffer): string {
  const [salt, digest] = [nonce, tag].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${salt}$${digest}`;
}

const OF_NO_PASSWORD = hashText(Buffer.alloc(NONCE_BYTES), Buffer.alloc(TAG_BYTES));

function readHash(hash: string) {
  const [, memory, passes, parallelism, nonce, tag] = HASH.exec(hash) ?? [];
  if (nonce === undefined || tag === undefined) throw new Error("The hash of a password cannot be read.");
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

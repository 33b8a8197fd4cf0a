import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ownIdentity } from "../setup/process-identity.mjs";

/**
 * Reads the keys that encrypt the codes of an embedded database, in the form of CODE_ENCRYPTION_KEYS, from the
 * data folder, and makes one for a database that does not exist yet.
 */
export function ensureCodeEncryptionKeys(dataDir: string): string {
  const file = resolve(dataDir, "code-encryption-keys");
  if (!existsSync(file)) {
    if (existsSync(resolve(dataDir, "database", "data"))) throw new Error(missingKeys(file));
    makeKeys(dataDir, file);
  }
  return readFileSync(file, "utf8").trim();
}

function makeKeys(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = join(dataDir, `code-encryption-keys.${ownIdentity.replace(":", "-")}`);
  writeFileSync(draft, `k1:${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    // A link never replaces a file that another process has made in the meantime.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function missingKeys(file: string): string {
  return (
    `${file} is missing, and without it the codes in the database cannot be read.\n` +
    "Put it back from a backup, or set CODE_ENCRYPTION_KEYS to what it held."
  );
}

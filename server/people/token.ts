import { hash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A new secret that stands for an invitation or a session: 256 random bits, as text for URLs and cookies. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What is stored of a token or a recovery code, and what it is looked up by. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

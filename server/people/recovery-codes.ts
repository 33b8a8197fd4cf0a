import { randomBytes } from "node:crypto";
import { hashToken } from "./token.ts";

const COUNT = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;
/** 32 letters and digits that are not taken for each other. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Codes for when the second factor is lost, each of 80 random bits and good for once: `abcd-efgh-ijkm-npqr`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = Array.from(
      randomBytes(GROUPS * GROUP_LENGTH),
      (byte) => ALPHABET[byte % ALPHABET.length],
    );
    return letters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
  });
}

/** What is stored of a recovery code; however it is written, with or without dashes. */
export function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ""));
}

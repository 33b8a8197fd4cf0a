import { Secret, TOTP } from "otpauth";

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Clocks of phones are off by as many steps, before and behind. */
const WINDOW = 1;

/** A new secret, as apps for codes take it: 160 random bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The secret as apps read it from a picture: `otpauth://totp/…`. */
export function totpUri(secret: string, issuer: string, email: string): string {
  return totpOf(secret, { issuer, label: email }).toString();
}

/** The step of time that a code belongs to; null when it is none of about now. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const off = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return off === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp: nowMs }) + off;
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  // What every app for codes knows.
  const form = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS };
  return new TOTP({ ...form, ...names, secret: Secret.fromBase32(secret) });
}

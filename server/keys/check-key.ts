import type { CapCeilings } from "../accounts/account.ts";
import { formatUsd, MAX_ACCOUNT_MICROCENTS, type Microcents } from "../money/microcents.ts";
import { type KeyProperties, MAX_KEY_NAME_LENGTH, MAX_OVERLAP_MS } from "./api-key.ts";
import { InvalidKeyFieldError, type KeyField } from "./errors.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @throws {InvalidKeyFieldError} a property that is given is out of bounds, or a cap above its ceiling. */
export function checkProperties(
  { name, expiresAtMs, orderCapMicrocents, dailyCapMicrocents }: Partial<KeyProperties>,
  { orderCapCeilingMicrocents, dailyCapCeilingMicrocents }: CapCeilings,
  nowMs: number,
): void {
  if (typeof name === "string" && (name.trim() === "" || [...name].length > MAX_KEY_NAME_LENGTH)) {
    throw new InvalidKeyFieldError("name", `A key's name has 1 to ${MAX_KEY_NAME_LENGTH} characters.`);
  }
  if (typeof expiresAtMs === "number" && !(expiresAtMs > nowMs)) {
    throw new InvalidKeyFieldError("expiresAt", "A key's expiry lies in the future.");
  }
  checkCap("orderCap", orderCapMicrocents, orderCapCeilingMicrocents);
  checkCap("dailyCap", dailyCapMicrocents, dailyCapCeilingMicrocents);
}

/** @throws {InvalidKeyFieldError} it is no idempotency key. */
export function checkIdempotencyKey(idempotencyKey: string | null): void {
  if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new InvalidKeyFieldError(
      "idempotencyKey",
      "An idempotency key has 1 to 255 characters of ASCII without spaces.",
    );
  }
}

/** @throws {InvalidKeyFieldError} a secret that is replaced may not work for so long. */
export function checkOverlap(overlapMs: number): void {
  if (!(Number.isInteger(overlapMs) && overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS)) {
    const days = MAX_OVERLAP_MS / DAY_MS;
    throw new InvalidKeyFieldError("overlap", `The overlap of two secrets is at most ${days} days.`);
  }
}

function checkCap(field: KeyField, cap: Microcents | null | undefined, ceiling: Microcents | null): void {
  if (cap === null || cap === undefined) return;
  if (cap <= 0n || cap > MAX_ACCOUNT_MICROCENTS) {
    throw new InvalidKeyFieldError(
      field,
      `A cap is an amount above zero and at most ${formatUsd(MAX_ACCOUNT_MICROCENTS)} USD.`,
    );
  }
  if (ceiling !== null && cap > ceiling)
    throw new InvalidKeyFieldError(field, `The ceiling of this cap is ${formatUsd(ceiling)} USD.`);
}

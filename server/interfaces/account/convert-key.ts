import type { components } from "../../../generated/account/types.ts";
import { type ApiKey, type KeyProperties, standingOf } from "../../keys/api-key.ts";
import { InvalidKeyFieldError } from "../../keys/errors.ts";
import { formatDecimalMoney, type Microcents, parseDecimalMoney } from "../../money/microcents.ts";
import { toApiTime, toTimeMs } from "../convert-time.ts";

type Schemas = components["schemas"];

/** A key, with what it has spent on the present UTC day. */
export function toApiKey(key: ApiKey, spentToday: Microcents, nowMs: number): Schemas["Key"] {
  const status = standingOf(key, nowMs);
  return {
    keyId: key.keyId,
    name: key.name,
    kind: key.kind,
    status,
    preview: key.preview,
    orderCap: toApiCap(key.orderCapMicrocents),
    dailyCap: toApiCap(key.dailyCapMicrocents),
    orderCapCeiling: toApiCap(key.orderCapCeilingMicrocents),
    dailyCapCeiling: toApiCap(key.dailyCapCeilingMicrocents),
    spentToday: formatDecimalMoney(spentToday, "up"),
    createdAt: toApiTime(key.createdAtMs),
    expiresAt: toApiTime(key.expiresAtMs),
    lastUsedAt: toApiTime(key.lastUsedAtMs),
    // None of a key that has ended works.
    formerSecrets: (status === "active" ? key.formerSecrets : []).map(
      ({ preview, replacedAtMs, worksUntilMs }) => ({
        preview,
        replacedAt: toApiTime(replacedAtMs),
        worksUntil: toApiTime(worksUntilMs),
      }),
    ),
  };
}

/** What is given of a key; what is not stays as it is. @throws {InvalidFieldError} @throws {InvalidKeyFieldError} */
export function toKeyProperties(given: Schemas["KeyChange"]): Partial<KeyProperties> {
  const { name, expiresAt, orderCap, dailyCap } = given;
  return {
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && {
      expiresAtMs: expiresAt === null ? null : toTimeMs("expiresAt", expiresAt),
    }),
    ...(orderCap !== undefined && { orderCapMicrocents: toCap("orderCap", orderCap) }),
    ...(dailyCap !== undefined && { dailyCapMicrocents: toCap("dailyCap", dailyCap) }),
  };
}

function toCap(field: "orderCap" | "dailyCap", text: string | null): Microcents | null {
  if (text === null) return null;
  const cap = parseDecimalMoney(text);
  if (cap === null) throw new InvalidKeyFieldError(field, "A cap is an amount in USD, such as 500.00.");
  return cap;
}

function toApiCap(cap: Microcents | null): string | null {
  return cap === null ? null : formatDecimalMoney(cap);
}

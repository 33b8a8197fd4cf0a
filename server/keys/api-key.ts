import type { CallSettings, CapCeilings } from "../accounts/account.ts";
import type { AccountId, KeyId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";

export type KeyKind = "general" | "product_ordering" | "ai_proxy";
export type KeyStatus = "active" | "revoked";
export type Scope = "ai:proxy" | "shop:read" | "shop:order";

/** What a key of each kind may do. */
export const SCOPES: Readonly<Record<KeyKind, readonly Scope[]>> = {
  general: ["ai:proxy", "shop:read"],
  product_ordering: ["shop:read", "shop:order"],
  ai_proxy: ["ai:proxy"],
};

export const MAX_KEY_NAME_LENGTH = 100;
export const MAX_OVERLAP_MS = 7 * 24 * 60 * 60 * 1000;

/** Spend limits of a key; null is no limit. */
export interface KeyCaps {
  readonly orderCapMicrocents: Microcents | null;
  readonly dailyCapMicrocents: Microcents | null;
}

/** What of a key its owner may change at any time. */
export interface KeyProperties extends KeyCaps {
  /** null: it has none. */
  readonly name: string | null;
  /** From when on it is refused as if it were revoked; null: never. */
  readonly expiresAtMs: number | null;
}

/** An API key as it is kept: never the key itself. Its caps are as they were set, and its ceilings those that hold for it. */
export interface ApiKey extends KeyProperties, CapCeilings {
  readonly keyId: KeyId;
  readonly accountId: AccountId;
  readonly kind: KeyKind;
  readonly status: KeyStatus;
  /** Masked form of the key, safe to show. */
  readonly preview: string;
  readonly createdAtMs: number;
  /** When it was used last, up to a minute or so late; null: never. */
  readonly lastUsedAtMs: number | null;
  /** The secrets that still work beside the present one, the newest first. */
  readonly formerSecrets: readonly FormerSecret[];
}

/** A secret of a key that was replaced by another and works until its overlap ends. */
export interface FormerSecret {
  /** Masked form, safe to show. */
  readonly preview: string;
  readonly replacedAtMs: number;
  readonly worksUntilMs: number;
}

/** Who a request comes from: a valid key and the account behind it, at most half a second old. Its caps are those that hold. */
export interface Caller extends KeyCaps, CallSettings {
  readonly keyId: KeyId;
  readonly accountId: AccountId;
  readonly kind: KeyKind;
  readonly rpmLimit: number;
}

/** The caps that hold: the smaller of each cap and its ceiling. */
export function effectiveCaps(key: KeyCaps & CapCeilings): KeyCaps {
  return {
    orderCapMicrocents: smaller(key.orderCapMicrocents, key.orderCapCeilingMicrocents),
    dailyCapMicrocents: smaller(key.dailyCapMicrocents, key.dailyCapCeilingMicrocents),
  };
}

/** Whether a key can be used, as far as it itself is concerned. */
export function standingOf(
  { status, expiresAtMs }: Pick<ApiKey, "status" | "expiresAtMs">,
  nowMs: number,
): KeyStatus | "expired" {
  return status === "active" && expiresAtMs !== null && expiresAtMs <= nowMs ? "expired" : status;
}

function smaller(cap: Microcents | null, ceiling: Microcents | null): Microcents | null {
  if (cap === null || ceiling === null) return cap ?? ceiling;
  return cap < ceiling ? cap : ceiling;
}

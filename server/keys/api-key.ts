import type { CallSettings } from "../accounts/account.ts";
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

/** Spend limits of a key; null is no limit. */
export interface KeyCaps {
  readonly orderCapMicrocents: Microcents | null;
  readonly dailyCapMicrocents: Microcents | null;
}

/** An API key as it is kept: never the key itself. */
export interface ApiKey extends KeyCaps {
  readonly keyId: KeyId;
  readonly accountId: AccountId;
  readonly kind: KeyKind;
  readonly status: KeyStatus;
  /** Masked form of the key, safe to show. */
  readonly preview: string;
  readonly createdAtMs: number;
}

/** Who a request comes from: a valid key and the account behind it, at most half a second old. */
export interface Caller extends KeyCaps, CallSettings {
  readonly keyId: KeyId;
  readonly accountId: AccountId;
  readonly kind: KeyKind;
  readonly rpmLimit: number;
}

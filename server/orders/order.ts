import type { AccountId, KeyId, OrderId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";
import type { OrderStatus } from "./order-status.ts";

/** What a buyer asks for under an id of their own: `qty` codes of one product, and what became of it. */
export interface Order {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  /** The buyer's id; the same bytes again mean the same order, for ever. */
  readonly externalOrderId: string;
  /** The key that placed it. */
  readonly keyId: KeyId;
  readonly productId: string;
  readonly productName: string;
  readonly qty: number;
  readonly unitPriceMicrocents: Microcents;
  readonly amountMicrocents: Microcents;
  readonly status: OrderStatus;
  readonly redeemUrl: string | null;
  readonly errorCode: string | null;
  /** The UTC day on which it counts towards the key's daily cap. */
  readonly spendDay: string;
  readonly createdAtMs: number;
  readonly deliveredAtMs: number | null;
  readonly refundedAtMs: number | null;
}

/** An order with what was bought: as many codes as `qty` when it is delivered, none otherwise. */
export interface OrderWithCodes extends Order {
  readonly codes: readonly string[];
}

/** What a buyer gets for a request that is not refused; `reused` when the order had been delivered before. */
export interface PlacedOrder {
  readonly order: OrderWithCodes;
  readonly reused: boolean;
}

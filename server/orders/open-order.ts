import { batchedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import type { OrderId } from "../ids.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { openCode } from "../stock/open-codes.ts";
import { findCodes, type ProductRange } from "../stock/stock-store.ts";
import type { OrderWithCodes } from "./order.ts";
import type { StoredOrder } from "./order-store.ts";
import { findPurchasedCodes } from "./purchase-store.ts";
import { decryptCode } from "./purchased-code.ts";

/** What reading the codes of orders needs. */
export interface OpenOrderDependencies {
  readonly database: Database;
  readonly cipher: Pick<Cipher, "decrypt">;
}

/** Reads and decrypts the codes of an order that is delivered; one of any other status shows none. */
export type OpenOrder = (stored: StoredOrder) => Promise<OrderWithCodes>;

/** Those who want codes at the same time share the reading of them. */
export function createOpenOrder({ database, cipher }: OpenOrderDependencies): OpenOrder {
  const readStockCodes = batchedRead((ranges: readonly ProductRange[]) => findCodes(database, ranges));
  const readPurchasedCodes = batchedRead((ids: readonly OrderId[]) => findPurchasedCodes(database, ids));

  async function stockCodes({ order: { productId }, ranges }: StoredOrder): Promise<string[]> {
    const encrypted = await Promise.all(ranges.map((range) => readStockCodes({ ...range, productId })));
    return encrypted.flat().map((code) => openCode(cipher, productId, code));
  }

  async function purchasedCodes(orderId: OrderId): Promise<string[]> {
    return (await readPurchasedCodes(orderId)).map((code) => decryptCode(cipher, orderId, code));
  }

  return async (stored) => {
    const { order } = stored;
    if (order.status !== "delivered") return { ...order, codes: [] };
    const codes = stored.ranges.length > 0 ? await stockCodes(stored) : await purchasedCodes(order.orderId);
    if (codes.length !== order.qty) {
      throw new Error(`Order ${order.orderId} has ${codes.length} codes instead of ${order.qty}.`);
    }
    return { ...order, codes };
  };
}

import { type OrderId, parseId } from "../ids.ts";

/** The opaque text that continues a list after this order. */
export function toCursor(orderId: OrderId): string {
  return Buffer.from(orderId.slice("ord_".length), "hex").toString("base64url");
}

/** The order that a cursor continues after, or null when the text is no cursor. */
export function fromCursor(cursor: string): OrderId | null {
  const orderId = parseId("ord", `ord_${Buffer.from(cursor, "base64url").toString("hex")}`);
  return orderId !== null && toCursor(orderId) === cursor ? orderId : null;
}

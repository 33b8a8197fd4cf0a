import type { KeyObject } from "node:crypto";
import type { OrderId } from "../ids.ts";
import { type Cipher, fingerprint } from "../stock/code-cipher.ts";
import type { Order } from "./order.ts";
import type { PurchasedCode } from "./purchase-store.ts";

/**
 * Codes as they are stored with the order that they were bought for. Each has been opened again: what its buyer could not be
 * given is not to be paid.
 * @throws {Error} one cannot be opened again.
 */
export function encryptCodes(
  { cipher, fingerprintKey }: { cipher: Pick<Cipher, "encrypt" | "decrypt">; fingerprintKey: KeyObject },
  { orderId, productId }: Order,
  codes: readonly string[],
): PurchasedCode[] {
  return codes.map((code, position) => {
    const ciphertext = cipher.encrypt(code, purchasedCodeContext(orderId, position));
    if (decryptCode(cipher, orderId, { position, ciphertext }) !== code)
      throw new Error(`Code ${position} of order ${orderId} cannot be opened again.`);
    return { orderId, position, ciphertext, fingerprint: fingerprint(fingerprintKey, productId, code) };
  });
}

/** The code that was stored for a place in an order. */
export function decryptCode(
  cipher: Pick<Cipher, "decrypt">,
  orderId: OrderId,
  { position, ciphertext }: Pick<PurchasedCode, "position" | "ciphertext">,
): string {
  return cipher.decrypt(ciphertext, purchasedCodeContext(orderId, position)).toString();
}

/** What binds a code's ciphertext to its place. */
export function purchasedCodeContext(orderId: OrderId, position: number): string {
  return `purchased-code\0${orderId}\0${position}`;
}

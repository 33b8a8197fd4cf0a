import type { Database } from "../database/database.ts";
import type { OrderId } from "../ids.ts";
import {
  countPurchasedCodes,
  findPurchasedCodesAfter,
  replacePurchasedCiphertexts,
} from "../orders/purchase-store.ts";
import { purchasedCodeContext } from "../orders/purchased-code.ts";
import type { SealedTexts } from "./sealed-texts.ts";

/** The codes that were bought for orders. */
export function sealedPurchasedCodes(database: Database): SealedTexts {
  return {
    name: "purchased",
    count: () => countPurchasedCodes(database),
    async after(place, limit) {
      const codes = await findPurchasedCodesAfter(database, placeOf(place), limit);
      return codes.map(({ orderId, position, ciphertext }) => ({
        place: `${orderId}:${position}`,
        ciphertext,
        context: purchasedCodeContext(orderId, position),
      }));
    },
    async replace(texts) {
      const codes = texts.map(({ place, newCiphertext }) => ({
        ...placeOf(place),
        ciphertext: newCiphertext,
      }));
      for (const [orderId, some] of Map.groupBy(codes, (code) => code.orderId))
        await replacePurchasedCiphertexts(database, orderId, some);
    },
  };
}

function placeOf(place: string): { orderId: OrderId; position: number } {
  const [orderId = "", position = "-1"] = place === "" ? [] : place.split(":");
  return { orderId: orderId as OrderId, position: Number(position) };
}

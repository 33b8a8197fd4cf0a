import type { Database } from "../database/database.ts";
import { codeContext } from "../stock/code-cipher.ts";
import { countCodes, findCodesAfter, replaceCiphertexts } from "../stock/stock-store.ts";
import type { SealedTexts } from "./sealed-texts.ts";

/** The codes of imports, sold or not. */
export function sealedCodes(database: Database): SealedTexts {
  return {
    name: "stock",
    count: () => countCodes(database),
    async after(place, limit) {
      const codes = await findCodesAfter(database, placeOf(place), limit);
      return codes.map(({ productId, sequence, ciphertext }) => ({
        place: `${productId}:${sequence}`,
        ciphertext,
        context: codeContext(productId, sequence),
      }));
    },
    async replace(texts) {
      const codes = texts.map(({ place, newCiphertext }) => ({
        ...placeOf(place),
        ciphertext: newCiphertext,
      }));
      for (const [productId, some] of Map.groupBy(codes, (code) => code.productId))
        await replaceCiphertexts(database, productId, some);
    },
  };
}

function placeOf(place: string): { productId: string; sequence: bigint } {
  const [productId = "", sequence = "-1"] = place === "" ? [] : place.split(":");
  return { productId, sequence: BigInt(sequence) };
}

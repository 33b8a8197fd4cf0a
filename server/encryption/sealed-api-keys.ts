import type { Database } from "../database/database.ts";
import { apiKeyContext } from "../suppliers/api-key-cipher.ts";
import { listSuppliers, replaceApiKeyCiphertext } from "../suppliers/supplier-store.ts";
import type { SealedTexts } from "./sealed-texts.ts";

/** The shop's keys at its suppliers. */
export function sealedApiKeys(database: Database): SealedTexts {
  return {
    name: "suppliers",
    count: async () => (await listSuppliers(database)).length,
    async after(place, limit) {
      const suppliers = await listSuppliers(database);
      return suppliers
        .filter(({ supplierId }) => supplierId > place)
        .slice(0, limit)
        .map(({ supplierId, apiKeyCiphertext }) => ({
          place: supplierId,
          ciphertext: apiKeyCiphertext,
          context: apiKeyContext(supplierId),
        }));
    },
    async replace(texts) {
      for (const { place, ciphertext, newCiphertext } of texts)
        await replaceApiKeyCiphertext(database, place, ciphertext, newCiphertext);
    },
  };
}

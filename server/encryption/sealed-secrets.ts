import type { Database } from "../database/database.ts";
import { FINGERPRINT_KEY_NAME } from "../stock/fingerprint-key.ts";
import { findSecret, replaceSecret } from "../stock/secret-store.ts";
import type { SealedTexts } from "./sealed-texts.ts";

/** The key of the fingerprints. What is recorded of the encryption keys themselves stays as it is. */
export function sealedSecrets(database: Database): SealedTexts {
  const find = () => findSecret(database, FINGERPRINT_KEY_NAME);
  return {
    name: "secrets",
    count: async () => ((await find()) === null ? 0 : 1),
    async after(place) {
      const secret = place === "" ? await find() : null;
      return secret === null
        ? []
        : [{ place: secret.name, ciphertext: secret.ciphertext, context: secret.name }];
    },
    async replace(texts) {
      for (const { place, newCiphertext } of texts)
        await replaceSecret(database, { name: place, ciphertext: newCiphertext });
    },
  };
}

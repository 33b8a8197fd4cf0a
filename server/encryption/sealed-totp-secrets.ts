import type { Database } from "../database/database.ts";
import { countTotpSecrets, findTotpSecretsAfter, replaceTotpCiphertext } from "../people/factor-store.ts";
import { totpContext } from "../people/factors.ts";
import type { SealedTexts } from "./sealed-texts.ts";

/** The secrets of people's apps for codes. */
export function sealedTotpSecrets(database: Database): SealedTexts {
  return {
    name: "totp",
    count: () => countTotpSecrets(database),
    async after(place, limit) {
      const secrets = await findTotpSecretsAfter(database, place, limit);
      return secrets.map(({ userId, ciphertext }) => ({
        place: userId,
        ciphertext,
        context: totpContext(userId),
      }));
    },
    async replace(texts) {
      for (const { place, ciphertext, newCiphertext } of texts)
        await replaceTotpCiphertext(database, place, ciphertext, newCiphertext);
    },
  };
}

import type { Cipher } from "../stock/code-cipher.ts";
import type { StoredSupplier } from "./supplier-store.ts";

/** A supplier's API key as it is stored: only with its supplier's id can it be decrypted. */
export function encryptApiKey(cipher: Pick<Cipher, "encrypt">, supplierId: string, apiKey: string): Buffer {
  return cipher.encrypt(apiKey, apiKeyContext(supplierId));
}

/** @throws when it was encrypted with another key, or for another supplier. */
export function decryptApiKey(
  cipher: Pick<Cipher, "decrypt">,
  { supplierId, apiKeyCiphertext }: Pick<StoredSupplier, "supplierId" | "apiKeyCiphertext">,
): string {
  return cipher.decrypt(apiKeyCiphertext, apiKeyContext(supplierId)).toString();
}

export function apiKeyContext(supplierId: string): string {
  return `supplier-key\0${supplierId}`;
}

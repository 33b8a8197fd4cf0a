import type { Session } from "../database/database.ts";
import { type Cipher, codeContext, keyIdOf } from "./code-cipher.ts";
import { UnreadableCodeError } from "./errors.ts";
import { type EncryptedCode, findCodes, type ProductRange } from "./stock-store.ts";

/** Opens one code of a product's stock. @throws {UnreadableCodeError} */
export function openCode(
  cipher: Pick<Cipher, "decrypt">,
  productId: string,
  { sequence, ciphertext }: EncryptedCode,
): string {
  try {
    return cipher.decrypt(ciphertext, codeContext(productId, sequence)).toString();
  } catch {
    throw new UnreadableCodeError(productId, sequence, keyIdOf(ciphertext));
  }
}

/** Reads and opens the codes of ranges, each in the order of its sequences. @throws {UnreadableCodeError} */
export async function openCodes(
  session: Session,
  cipher: Pick<Cipher, "decrypt">,
  ranges: readonly ProductRange[],
): Promise<string[][]> {
  const found = await findCodes(session, ranges);
  return ranges.map(({ productId, firstSequence, endSequence }, index) => {
    const codes = found[index] ?? [];
    if (BigInt(codes.length) !== endSequence - firstSequence) {
      throw new UnreadableCodeError(productId, firstMissing(codes, firstSequence), null);
    }
    return codes.map((code) => openCode(cipher, productId, code));
  });
}

function firstMissing(codes: readonly EncryptedCode[], firstSequence: bigint): bigint {
  const gap = codes.findIndex(({ sequence }, index) => sequence !== firstSequence + BigInt(index));
  return firstSequence + BigInt(gap === -1 ? codes.length : gap);
}

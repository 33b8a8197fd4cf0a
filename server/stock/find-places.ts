import type { KeyObject } from "node:crypto";
import type { Session } from "../database/database.ts";
import { isCode } from "./code.ts";
import { fingerprint } from "./code-cipher.ts";
import { findSequences } from "./stock-store.ts";

const BATCH_CODES = 512;

/** Where some codes of a product are. */
export interface Places {
  /** Their sequences, in no order. */
  readonly places: readonly bigint[];
  /** How many of the lines are no code, or one that the product does not have. */
  readonly unknown: number;
}

/** Looks up where codes are, one per line, by their fingerprints. Blank lines count nowhere. */
export async function findPlaces(
  { database, fingerprintKey }: { database: Session; fingerprintKey: () => Promise<KeyObject> },
  productId: string,
  lines: AsyncIterable<string>,
): Promise<Places> {
  const key = await fingerprintKey();
  const places: bigint[] = [];
  let unknown = 0;
  let batch = new Map<string, Buffer>();
  const lookUp = async () => {
    const found = await findSequences(database, productId, [...batch.values()]);
    unknown += batch.size - found.length;
    places.push(...found);
    batch = new Map();
  };
  for await (const line of lines) {
    const code = line.trim();
    if (code === "") continue;
    if (isCode(code)) batch.set(code, fingerprint(key, productId, code));
    else unknown += 1;
    if (batch.size === BATCH_CODES) await lookUp();
  }
  await lookUp();
  return { places, unknown };
}

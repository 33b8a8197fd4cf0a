import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import type { Processes } from "../processes/processes.ts";
import { type Cipher, keyIdOf } from "../stock/code-cipher.ts";
import { segmentsOfOtherKeys, setSegmentKeys } from "../stock/stock-store.ts";
import { forgetOtherKeys, recordEncryptionKey } from "../stock/used-encryption-keys.ts";
import { ProcessesWithOtherKeysError } from "./errors.ts";
import { countOf, pagesOf, type ResealedText, type SealedText, type SealedTexts } from "./sealed-texts.ts";

/** A process that still seals with another key could keep it going for ever. */
const MAX_PASSES = 5;
const MAX_SHOWN = 100;

/** What a rotation needs. */
export interface RotationDependencies {
  readonly database: Database;
  readonly cipher: Cipher;
  /** All that is encrypted in the database. */
  readonly kinds: readonly SealedTexts[];
  readonly processes: Pick<Processes, "list">;
  /** Each throws a {@link WrongEncryptionKeysError} where this process lacks a key that something of its own is sealed with. */
  readonly checked: readonly { checkEncryptionKeys(): Promise<void> }[];
}

/** How far a rotation is. */
export interface RotationProgress {
  readonly done: number;
  readonly total: number;
}

/** What came of a rotation. */
export interface Rotation {
  /** The key that everything is sealed with now. */
  readonly currentKeyId: string;
  /** How many texts were sealed anew. */
  readonly resealed: number;
  /** How many cannot be opened with any key, and were left as they are. */
  readonly unreadable: number;
  /** The first 100 of those. */
  readonly places: readonly string[];
  /** Whether nothing needs another key any more; otherwise an import is running with one, or a process seals with it. */
  readonly complete: boolean;
}

/**
 * Seals everything in the database anew with the first encryption key, while the shop runs. What is sealed with it already
 * is left, so a run that was broken off is simply repeated. When it is complete, the other keys may be taken away.
 * Every process of the shop must have the same first key: one that lacks it could open nothing, and one that seals with
 * another would go on doing so.
 * @throws {WrongEncryptionKeysError} this process lacks a key.
 * @throws {ProcessesWithOtherKeysError} a process of the shop does not seal with that key.
 */
export async function rotateKeys(
  dependencies: RotationDependencies,
  onProgress: (progress: RotationProgress) => void = () => {},
): Promise<Rotation> {
  const { database, cipher, kinds, checked } = dependencies;
  const { currentKeyId } = cipher;
  for (const one of checked) await one.checkEncryptionKeys();
  await refuseOtherKeys(dependencies);
  // From here on no process starts without the key; those that have started since are seen by the next look.
  await recordEncryptionKey(database, cipher);
  const action = { operation: "rotateEncryptionKey", targetId: currentKeyId } as const;
  await transaction(database, (tx) => recordAction(tx, action));
  const total = await countOf(kinds);
  let resealed = 0;
  for (let pass = 1; ; pass += 1) {
    await refuseOtherKeys(dependencies);
    // Before the pass: what an import adds with another key meanwhile belongs to a segment that is not among them.
    const segments = await segmentsOfOtherKeys(database, currentKeyId);
    const { changed, unreadable, places } = await resealAll(dependencies, (done) =>
      onProgress({ done: Math.min(done, total), total }),
    );
    resealed += changed;
    const result = { currentKeyId, resealed, unreadable, places };
    if (changed === 0) {
      await setSegmentKeys(database, segments, currentKeyId);
      const complete = (await segmentsOfOtherKeys(database, currentKeyId)).length === 0;
      if (complete) await forgetOtherKeys(database, cipher);
      return { ...result, complete };
    }
    if (pass === MAX_PASSES) return { ...result, complete: false };
  }
}

/** @throws {ProcessesWithOtherKeysError} */
async function refuseOtherKeys({ processes, cipher }: RotationDependencies): Promise<void> {
  const [own = ""] = cipher.keyFingerprints;
  const others = (await processes.list()).filter(({ encryptionKeys: [first] }) => first !== own);
  if (others.length === 0) return;
  throw new ProcessesWithOtherKeysError(
    cipher.currentKeyId,
    others.map(({ name, encryptionKeys }) => ({ name, hasKey: encryptionKeys.includes(own) })),
  );
}

/** One pass over everything. */
async function resealAll(
  { cipher, kinds }: RotationDependencies,
  onDone: (done: number) => void,
): Promise<{ changed: number; unreadable: number; places: string[] }> {
  const places: string[] = [];
  let [done, changed, unreadable] = [0, 0, 0];
  for await (const { kind, texts } of pagesOf(kinds)) {
    const others = texts.filter(({ ciphertext }) => keyIdOf(ciphertext) !== cipher.currentKeyId);
    const resealed: ResealedText[] = [];
    for (const text of others) {
      const newCiphertext = reseal(cipher, text);
      if (newCiphertext !== null) resealed.push({ ...text, newCiphertext });
      else if (places.length < MAX_SHOWN) places.push(`${kind.name}/${text.place}`);
    }
    if (resealed.length > 0) await kind.replace(resealed);
    done += texts.length;
    changed += resealed.length;
    unreadable += others.length - resealed.length;
    onDone(done);
  }
  return { changed, unreadable, places };
}

/** @returns null when it cannot be opened. */
function reseal(cipher: Cipher, { ciphertext, context }: SealedText): Buffer | null {
  try {
    return cipher.encrypt(cipher.decrypt(ciphertext, context), context);
  } catch {
    return null;
  }
}

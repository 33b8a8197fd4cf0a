import type { Database } from "../database/database.ts";
import type { KeyId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type Recovery, startRecoveryLoop } from "../recovery-loop.ts";
import { updateLastUses } from "./key-store.ts";

/** A use is recorded when the one that is recorded is at least so much older. */
const RECORDED_EVERY_MS = 60_000;

/**
 * When keys were used last. Requests only note it, in memory; a loop beside them writes it, at most once a minute for each key
 * over all processes. What a process that dies has not written is lost, and the next use is noted again.
 */
export function createLastUses(database: Database) {
  let noted = new Map<KeyId, number>();

  async function write(): Promise<void> {
    const uses = [...noted];
    noted = new Map();
    await updateLastUses(database, uses, RECORDED_EVERY_MS);
  }

  return {
    /** @param recordedMs the use that is recorded, as it was read half a second ago at most. */
    note(keyId: KeyId, recordedMs: number | null, nowMs: number): void {
      if (recordedMs === null || nowMs - recordedMs >= RECORDED_EVERY_MS) noted.set(keyId, nowMs);
    },

    /** Records what is noted. */
    write,

    /** Does so again and again, and once more when it is stopped. What cannot be written is left: keys are used again. */
    startWriting({ intervalMs, log }: { readonly intervalMs: number; readonly log: Log }): Recovery {
      const attempt = () =>
        write().catch((error: unknown) => log.warn({ err: error }, "the last uses of keys were not written"));
      const loop = startRecoveryLoop(intervalMs, async (rest) => {
        await attempt();
        await rest();
      });
      return {
        async stop() {
          await loop.stop();
          await attempt();
        },
      };
    },
  };
}

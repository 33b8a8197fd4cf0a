import type { KeyId } from "../ids.ts";
import type { Keys } from "../keys/keys.ts";
import type { Log } from "../log.ts";

// Twice in the second within which a revocation must be felt.
const LOOK_EVERY_MS = 500;

/** What watching streams needs. */
export interface RunningStreamsDependencies {
  readonly keys: Pick<Keys, "findUnusable">;
  readonly log: Log;
}

/**
 * The streams that this process passes on. Those whose key is revoked or whose account is suspended are ended: twice a
 * second the database is asked once for all of them.
 */
export function createRunningStreams({ keys, log }: RunningStreamsDependencies) {
  const endsByKey = new Map<KeyId, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isBlind = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const unusable = await keys.findUnusable([...endsByKey.keys()]);
      for (const keyId of unusable) for (const end of endsByKey.get(keyId) ?? []) end();
      isBlind = false;
    } catch (error) {
      if (!isBlind) log.warn({ err: error }, "cannot see whether the keys of running streams are still good");
      isBlind = true;
    } finally {
      isLooking = false;
    }
  }

  return {
    /**
     * Watches a stream from its beginning on.
     * @param end breaks it off; may be called more than once.
     * @returns ends the watching; to be called when the stream has ended.
     */
    watch(keyId: KeyId, end: () => void): () => void {
      const ends = endsByKey.get(keyId) ?? new Set();
      endsByKey.set(keyId, ends.add(end));
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS);
      return () => {
        ends.delete(end);
        if (ends.size === 0 && endsByKey.get(keyId) === ends) endsByKey.delete(keyId);
        if (endsByKey.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

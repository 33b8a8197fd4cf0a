import { BusyError } from "./errors.ts";

/** How much memory the bodies of requests may take, from their first byte until they are let go. */
export interface BodyMemoryLimits {
  readonly processBytes: number;
  readonly accountBytes: number;
}

/** What one body takes. */
export interface BodyLease {
  /** @throws {BusyError} there is no room for that much more. */
  take(bytes: number): void;
  /** Gives all of it back; may be called again. */
  release(): void;
}

export type BodyMemory = ReturnType<typeof createBodyMemory>;

/** A body that takes no more always finds room where larger ones would not: a fifth of the memory is theirs alone. */
const SMALL_BYTES = 256 * 1024;
const SHARE_OF_LARGE = 0.8;

/** Counts what the bodies of this process take. Those of callers without an account share one bound, that of `""`. */
export function createBodyMemory({ processBytes, accountBytes }: BodyMemoryLimits) {
  const taken = new Map<string, number>();
  let allTaken = 0;
  return {
    lease(account: string): BodyLease {
      let own = 0;
      return {
        take(bytes) {
          const takenByAccount = (taken.get(account) ?? 0) + bytes;
          if (takenByAccount > accountBytes) throw new BusyError("account");
          const isSmall = own + bytes <= SMALL_BYTES;
          if (allTaken + bytes > processBytes * (isSmall ? 1 : SHARE_OF_LARGE))
            throw new BusyError("service");
          own += bytes;
          allTaken += bytes;
          taken.set(account, takenByAccount);
        },
        release() {
          const rest = (taken.get(account) ?? 0) - own;
          allTaken -= own;
          own = 0;
          if (rest > 0) taken.set(account, rest);
          else taken.delete(account);
        },
      };
    },
    /** What all bodies take now. */
    takenBytes: () => allTaken,
  };
}

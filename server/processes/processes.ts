import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Database } from "../database/database.ts";
import {
  findProcesses,
  findSignsOfLife,
  recordProcess,
  removeDeadProcesses,
  removeProcess,
  type ServiceProcess,
} from "./process-store.ts";
import { createSilence } from "./silence.ts";

/** A process that has not said for so long that it lives counts as dead. */
const LEASE_MS = 15_000;
/** How often it says so, and looks whether the others have. */
const SIGN_EVERY_MS = 1_500;
/** How long a dead process is remembered: longer than any lease of an order. */
const DEAD_FOR_MS = 3_600_000;
/** Ids are short, for they begin the claims of purchases. */
const ID_BYTES = 12;

export type Processes = ReturnType<typeof createProcesses>;

/** What knowing the processes of the service needs. */
export interface ProcessesDependencies {
  readonly database: Database;
  /** What tells this process's encryption keys from others. */
  readonly encryptionKeys: readonly string[];
}

/** That this process lives, as all others are told. */
export interface ProcessRecord {
  /** Takes it back: the process serves nobody any more. Never rejects, for the record ends by itself as well. */
  end(): Promise<void>;
}

/** The processes that serve one database, as they know of each other. */
export function createProcesses({ database, encryptionKeys }: ProcessesDependencies) {
  let known = 1;
  const processId = randomBytes(ID_BYTES).toString("base64url");
  const silence = createSilence();
  return {
    /** This process's own id. */
    id: processId,

    /**
     * Those of whom nothing was heard for six seconds: dead, frozen, or cut off from the database. None before this process
     * has begun. What such a process was at work on may be taken up, if it can do no harm when it goes on.
     */
    silent: (): string[] => silence.silent(performance.now()),

    /** Those that live, or lived less than 15 seconds ago. */
    list: (): Promise<ServiceProcess[]> => findProcesses(database),

    /** How many there are, as was known a few seconds ago; at least this one. */
    count: (): number => known,

    /** Lets all others know that this process serves, from now on until it ends. @throws when the database cannot be asked. */
    async begin(): Promise<ProcessRecord> {
      const self = { processId, name: `${hostname()} (process ${process.pid})`, encryptionKeys };
      const renew = async () => {
        await recordProcess(database, self, LEASE_MS);
        const signs = await findSignsOfLife(database);
        known = Math.max(1, signs.filter(({ lives }) => lives).length);
        silence.look(signs, performance.now());
      };
      await removeDeadProcesses(database, DEAD_FOR_MS);
      await renew();
      let renewing: Promise<void> | null = null;
      const renewal = setInterval(() => {
        // One that fails is followed by the next.
        renewing ??= renew()
          .catch(() => {})
          .finally(() => {
            renewing = null;
          });
      }, SIGN_EVERY_MS).unref();
      return {
        async end() {
          clearInterval(renewal);
          await renewing;
          await removeProcess(database, processId).catch(() => {});
        },
      };
    },
  };
}

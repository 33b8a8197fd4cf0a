import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Database } from "../database/database.ts";
import {
  findProcesses,
  recordProcess,
  removeDeadProcesses,
  removeProcess,
  type ServiceProcess,
} from "./process-store.ts";

/** A process that has not said for so long that it lives counts as dead. */
const LEASE_MS = 15_000;
const RENEWALS_PER_LEASE = 3;

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
  return {
    /** Those that live, or lived less than 15 seconds ago. */
    list: (): Promise<ServiceProcess[]> => findProcesses(database),

    /** How many there are, as was known a few seconds ago; at least this one. */
    count: (): number => known,

    /** Lets all others know that this process serves, from now on until it ends. @throws when the database cannot be asked. */
    async begin(): Promise<ProcessRecord> {
      const self = {
        processId: randomUUID(),
        name: `${hostname()} (process ${process.pid})`,
        encryptionKeys,
      };
      const renew = async () => {
        await recordProcess(database, self, LEASE_MS);
        known = Math.max(1, (await findProcesses(database)).length);
      };
      await removeDeadProcesses(database);
      await renew();
      // A renewal that fails is followed by the next one.
      const renewal = setInterval(() => void renew().catch(() => {}), LEASE_MS / RENEWALS_PER_LEASE).unref();
      return {
        async end() {
          clearInterval(renewal);
          await removeProcess(database, self.processId).catch(() => {});
        },
      };
    },
  };
}

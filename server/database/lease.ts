import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "./database.ts";
import { createLease, endLease, hasHolder, renewLease, takeLease } from "./lease-store.ts";

/** After so long without a sign of life the work of a lease's holder is taken over. */
const LEASE_MS = 15_000;
const RENEWALS_PER_LEASE = 3;
const LOOK_AGAIN_MS = 250;

/**
 * Does what only one process may do at a time. Waits while another is at it, and takes over from one that died: a process
 * that has not renewed its lease for 15 seconds of the database's clock.
 * @param work is told whether the last holder died at it, so that it may find things half done.
 */
export async function withLease<T>(
  database: Database,
  name: string,
  work: (takenOver: boolean) => Promise<T>,
): Promise<T> {
  const lease = { name, holder: randomUUID(), leaseMs: LEASE_MS };
  await createLease(database, name);
  let takenOver = await hasHolder(database, name);
  while (!(await takeLease(database, lease))) {
    await delay(LOOK_AGAIN_MS);
    takenOver = await hasHolder(database, name);
  }
  // A renewal that fails is followed by the next one; what the work itself meets is its own matter.
  const renewal = setInterval(
    () => void renewLease(database, lease).catch(() => {}),
    LEASE_MS / RENEWALS_PER_LEASE,
  );
  try {
    return await work(takenOver);
  } finally {
    clearInterval(renewal);
    await endLease(database, name, lease.holder);
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { startRelay } from "../relay.ts";

/** An address that leads to the server which may write, as a router or a floating address does in production. */
export interface PrimarySwitch {
  readonly port: number;
  close(): Promise<void>;
}

const LOOK_MS = 200;

/**
 * Leads to where `findPrimary` says, which is asked again and again. When that changes, connections to the former are cut.
 * @param findPrimary the primary's port; null when none is known, and then nothing changes.
 */
export async function startPrimarySwitch(findPrimary: () => Promise<number | null>): Promise<PrimarySwitch> {
  let target: number | null = null;
  const relay = await startRelay(() => target);
  let closed = false;
  const look = async () => {
    const primary = await findPrimary().catch(() => null);
    if (primary === null || primary === target) return;
    target = primary;
    relay.cutAll();
  };
  await look();
  const looking = (async () => {
    while (!closed) {
      await delay(LOOK_MS);
      await look();
    }
  })();
  return {
    port: relay.port,
    async close() {
      closed = true;
      await looking;
      await relay.close();
    },
  };
}

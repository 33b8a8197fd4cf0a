import { onTestFinished, test } from "vitest";
import { shopThroughFaults } from "./cluster-run.ts";
import { DATABASE_NAME } from "./database-cluster.ts";
import { startPrimarySwitch } from "./primary-switch.ts";
import { type ReplicatedPair, startReplicatedPair } from "./replicated-pair.ts";

const LOSSES: Readonly<Record<string, (pair: ReplicatedPair) => Promise<void> | void>> = {
  killed: (pair) => pair.killSource(),
  frozen: (pair) => pair.freezeSource(),
};

test.each(Object.keys(LOSSES))(
  "a source that is %s has its replica take over, which has all that was answered",
  async (how) => {
    const pair = await startReplicatedPair("semi-synchronous");
    onTestFinished(pair.dispose);
    const { port, close } = await startPrimarySwitch(async () => pair.primaryPort());
    onTestFinished(close);
    const url = `mysql://root@127.0.0.1:${port}/${DATABASE_NAME}`;
    await shopThroughFaults({
      // What the source has that its replica has not was answered to nobody: it is given up.
      cluster: { nodes: [{ url }] },
      urls: [url, url, url],
      faults: [
        {
          name: `the source is ${how}`,
          async happen() {
            await LOSSES[how]?.(pair);
            await pair.promoteReplica();
          },
        },
      ],
    });
  },
);

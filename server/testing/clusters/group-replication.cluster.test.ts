import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readSetting } from "../../settings/setting.ts";
import { testSettings } from "../../settings/test-settings.ts";
import { scaledSelection } from "../faults/fault-runs.ts";
import { shopThroughFaults } from "./cluster-run.ts";
import { type ClusterNode, DATABASE_NAME } from "./database-cluster.ts";
import { type ReplicationGroup, startReplicationGroup } from "./group-replication.ts";
import { startPrimarySwitch } from "./primary-switch.ts";

const MAX_WAIT_MS = 120_000;
const program = mysqlProgram();

/** The MySQL server that TEST_DATABASE_PROGRAM names: MariaDB knows no such groups. */
function mysqlProgram(): string | null {
  const path = readSetting(testSettings.databaseProgram, process.env);
  if (path !== null && !String(execFileSync(path, ["--no-defaults", "--version"])).includes("MariaDB"))
    return path;
  return null;
}

describe("three processes at the primary of three servers in Group Replication", () => {
  let group: ReplicationGroup;
  beforeAll(async () => {
    if (program !== null) group = await startReplicationGroup(program);
  });
  afterAll(() => group?.dispose());

  test("answer and lose nothing, whatever happens to it", async ({ skip }) => {
    if (program === null) skip("TEST_DATABASE_PROGRAM names no MySQL server");
    const { port, close } = await startPrimarySwitch(group.findPrimary);
    onTestFinished(close);
    const url = `mysql://root@127.0.0.1:${port}/${DATABASE_NAME}`;
    const primary = async (): Promise<ClusterNode> => {
      await expect.poll(group.findPrimary, { timeout: MAX_WAIT_MS }).not.toBeNull();
      const found = await group.findPrimary();
      return group.nodes.find((node) => new URL(node.url).port === String(found)) as ClusterNode;
    };
    const untilAnotherLeads = async (former: ClusterNode) => {
      const formerPort = Number(new URL(former.url).port);
      const leads = async () => (await group.findPrimary()) ?? formerPort;
      await expect.poll(leads, { timeout: MAX_WAIT_MS }).not.toBe(formerPort);
    };
    await shopThroughFaults({
      cluster: group,
      urls: [url, url, url],
      faults: [
        {
          name: "the primary is killed",
          async happen() {
            const former = await primary();
            await former.kill();
            await untilAnotherLeads(former);
            await former.restart();
          },
        },
        {
          name: "the primary is frozen",
          async happen() {
            const former = await primary();
            former.freeze();
            await untilAnotherLeads(former);
            await former.thaw();
          },
        },
        {
          name: "the primary leaves the group",
          async happen() {
            const former = await primary();
            await former.cutOff();
            await untilAnotherLeads(former);
            await former.connect();
          },
        },
        { name: "another takes over, as planned", happen: group.switchPrimary },
        {
          name: "the nodes are restarted one after the other",
          async happen() {
            for (const node of scaledSelection(group.nodes)) {
              await node.stop();
              await node.restart();
            }
          },
        },
      ],
    });
  });
});

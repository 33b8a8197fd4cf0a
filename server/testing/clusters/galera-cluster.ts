import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { initialiseDataFolder } from "../../embedded-database/database-server.ts";
import { requireServerProgram } from "../../embedded-database/server-program.ts";
import { makeServerFolder } from "../database/server-folder.ts";
import { findStablePort } from "../free-port.ts";
import { type ClusterNode, DATABASE_NAME, type DatabaseCluster } from "./database-cluster.ts";
import type { GaleraFiles } from "./galera-packages.ts";
import {
  commonSettings,
  createServerNode,
  runServerProgram,
  type ServerNode,
  startedByRoot,
} from "./server-node.ts";

const NODES = 3;
/** A server that is started by root takes another user, and so do its scripts: rsync refuses to write as root. */
const UNPRIVILEGED_USER = "nobody";

interface NodePlan {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly groupPort: number;
  readonly incrementalPort: number;
  readonly snapshotPort: number;
}

/**
 * Starts three MariaDB servers that replicate synchronously, with the shop's database, which is empty.
 * Takes about five seconds.
 */
export async function startGaleraCluster(files: GaleraFiles): Promise<DatabaseCluster> {
  const program = requireServerProgram((line) => console.error(line)).path;
  const plans: NodePlan[] = [];
  for (let number = 1; number <= NODES; number += 1) plans.push(await planNode(`node-${number}`));
  const nodes = plans.map(({ folder, port }) => {
    const env = { ...process.env, PATH: `${files.scripts}:${process.env.PATH}` };
    return createServerNode({ program, folder, port, env });
  });
  const dispose = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    for (const { folder } of plans) rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const plan of plans) writeFileSync(join(plan.folder, "my.cnf"), settingsOf(plan, plans, files));
    await makeFirstData(nodes, plans);
    for (const [index, node] of nodes.entries()) node.start(index === 0 ? ["--wsrep-new-cluster"] : []);
    await untilWhole(nodes);
    return { nodes: nodes.map((node) => nodeOf(node, nodes)), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function planNode(name: string): Promise<NodePlan> {
  const folder = makeServerFolder();
  const [port, groupPort, incrementalPort, snapshotPort] = [
    await findStablePort(),
    await findStablePort(),
    await findStablePort(),
    await findStablePort(),
  ];
  return { name, folder, port, groupPort, incrementalPort, snapshotPort };
}

function settingsOf(plan: NodePlan, plans: readonly NodePlan[], { provider }: GaleraFiles): string {
  const { name, folder, port, groupPort, incrementalPort, snapshotPort } = plan;
  const members = plans.map((other) => `127.0.0.1:${other.groupPort}`).join(",");
  const providerOptions = [
    `gmcast.listen_addr=tcp://127.0.0.1:${groupPort}`,
    `ist.recv_addr=127.0.0.1:${incrementalPort}`,
    "gcache.size=64M",
    "pc.recovery=false",
  ];
  return `${commonSettings({ folder, port }, UNPRIVILEGED_USER)}
innodb-flush-log-at-trx-commit=1
binlog-format=ROW
innodb-autoinc-lock-mode=2
wsrep-on=ON
wsrep-provider=${provider}
wsrep-provider-options="${providerOptions.join(";")}"
wsrep-cluster-name=shop
wsrep-cluster-address=gcomm://${members}
wsrep-node-name=${name}
wsrep-node-address=127.0.0.1:${groupPort}
wsrep-node-incoming-address=127.0.0.1:${port}
wsrep-sst-method=rsync
wsrep-sst-receive-address=127.0.0.1:${snapshotPort}
`;
}

/** Makes the data once and copies it, so that no node has to be sent all of it. */
async function makeFirstData(nodes: readonly ServerNode[], plans: readonly NodePlan[]): Promise<void> {
  const [first, ...others] = nodes as [ServerNode, ...ServerNode[]];
  const { program, folder } = first.settings;
  initialiseDataFolder({ path: program, flavor: "mariadb" }, join(folder, "data"));
  giveToServer(folder);
  first.start(["--wsrep-new-cluster"]);
  await untilSynced(first, 1);
  await first.query("CREATE USER root@'127.0.0.1'").catch(() => {});
  await first.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION");
  await first.query(`CREATE DATABASE ${DATABASE_NAME} CHARACTER SET utf8mb4`);
  await first.stop();
  for (const other of others) {
    for (const name of ["data", "tmp"])
      cpSync(join(folder, name), join(other.settings.folder, name), { recursive: true });
    // What only the first node is.
    for (const name of ["galera.cache", "gvwstate.dat"])
      rmSync(join(other.settings.folder, "data", name), { force: true });
  }
  for (const plan of plans) giveToServer(plan.folder);
}

function giveToServer(folder: string): void {
  if (startedByRoot) execFileSync("chown", ["-R", UNPRIVILEGED_USER, folder]);
}

async function untilSynced(node: ServerNode, members: number): Promise<void> {
  await node.waitUntil("it was a synced member", async () => {
    const rows = await node.query<{ Variable_name: string; Value: string }>(
      "SHOW STATUS WHERE Variable_name IN ('wsrep_local_state_comment', 'wsrep_cluster_status', 'wsrep_cluster_size')",
    );
    const status = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
    return (
      status.get("wsrep_local_state_comment") === "Synced" &&
      status.get("wsrep_cluster_status") === "Primary" &&
      status.get("wsrep_cluster_size") === String(members)
    );
  });
}

/** What one node says is not enough: one that was frozen does not know yet that the others went on without it. */
async function untilWhole(nodes: readonly ServerNode[]): Promise<void> {
  for (const node of nodes) await untilSynced(node, NODES);
}

function nodeOf(node: ServerNode, nodes: readonly ServerNode[]): ClusterNode {
  const isolate = (level: 0 | 1) => node.run(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${level}'`);
  // Those that were not lost are asked first.
  const isBack = () => untilWhole([...nodes.filter((other) => other !== node), node]);
  return {
    url: `mysql://root@127.0.0.1:${node.settings.port}/${DATABASE_NAME}`,
    kill: node.kill,
    stop: node.stop,
    async restart() {
      node.start(startPosition(node));
      await isBack();
    },
    freeze: node.freeze,
    async thaw() {
      node.thaw();
      await isBack();
    },
    cutOff: () => isolate(1),
    async connect() {
      await isolate(0);
      await isBack();
    },
  };
}

/** Where a node that was killed had come to, which its tables know, so that it is sent only what it has missed. */
function startPosition({ settings }: ServerNode): string[] {
  const printed = runServerProgram(settings, ["--wsrep-recover"]);
  const position = /Recovered position:\s*(\S+)/.exec(printed)?.[1];
  return position === undefined ? [] : [`--wsrep-start-position=${position}`];
}

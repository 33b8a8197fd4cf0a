import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { initialiseDataFolder } from "../../embedded-database/database-server.ts";
import { makeServerFolder } from "../database/server-folder.ts";
import { findStablePort } from "../free-port.ts";
import { type ClusterNode, DATABASE_NAME, type DatabaseCluster } from "./database-cluster.ts";
import { commonSettings, createServerNode, type ServerNode } from "./server-node.ts";

const NODES = 3;

interface NodePlan {
  readonly number: number;
  readonly folder: string;
  readonly port: number;
  readonly groupPort: number;
}

/** A group of MySQL servers of which one may write at a time. */
export interface ReplicationGroup extends DatabaseCluster {
  /** The port of the node that may write; null when the group has none that it agrees upon. */
  findPrimary(): Promise<number | null>;
  /** Hands the writing over to another node. */
  switchPrimary(): Promise<void>;
}

/** Starts three MySQL servers in Group Replication, with the shop's database, which is empty. Takes about 20 seconds. */
export async function startReplicationGroup(program: string): Promise<ReplicationGroup> {
  const plans: NodePlan[] = [];
  for (let number = 1; number <= NODES; number += 1) {
    const [port, groupPort] = [await findStablePort(), await findStablePort()];
    plans.push({ number, folder: makeServerFolder(), port, groupPort });
  }
  const groupName = randomUUID();
  const plugins = pluginFolder(program);
  const nodes = plans.map(({ folder, port }) => createServerNode({ program, folder, port }));
  const dispose = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    for (const { folder } of plans) rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const plan of plans)
      writeFileSync(join(plan.folder, "my.cnf"), settingsOf(plan, { plans, groupName, plugins }));
    await makeFirstData(program, nodes, plans);
    for (const [index, node] of nodes.entries()) await joinGroup(node, { bootstrap: index === 0 });
  } catch (error) {
    await dispose();
    throw error;
  }
  const findPrimary = () => primaryOf(nodes);
  return {
    nodes: nodes.map((node) => nodeOf(node, nodes)),
    dispose,
    findPrimary,
    async switchPrimary() {
      const primary = await findPrimary();
      const other = nodes.find(({ settings }) => settings.port !== primary) as ServerNode;
      await other.run("SELECT group_replication_set_as_primary(@@server_uuid)");
      await other.waitUntil("it was the primary", async () => (await findPrimary()) === other.settings.port);
    },
  };
}

/** The folder of the server's plugins, which stands beside its program, wherever that is. */
function pluginFolder(program: string): string {
  const help = execFileSync(program, ["--no-defaults", "--verbose", "--help"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 16 * 1024 ** 2,
  });
  const base = /^basedir\s+(\S+)/m.exec(help)?.[1] ?? "/usr/";
  return join(base, "lib/mysql/plugin");
}

function settingsOf(
  { number, folder, port, groupPort }: NodePlan,
  group: { plans: readonly NodePlan[]; groupName: string; plugins: string },
): string {
  return `${commonSettings({ folder, port })}
report-host=127.0.0.1
report-port=${port}
mysqlx=OFF
secure-file-priv=NULL
server-id=${number}
gtid-mode=ON
enforce-gtid-consistency=ON
plugin-dir=${group.plugins}
plugin-load-add=group_replication.so
loose-group-replication-group-name=${group.groupName}
loose-group-replication-start-on-boot=OFF
loose-group-replication-local-address=127.0.0.1:${groupPort}
loose-group-replication-group-seeds=${group.plans.map((other) => `127.0.0.1:${other.groupPort}`).join(",")}
loose-group-replication-ip-allowlist=127.0.0.1/8
loose-group-replication-recovery-get-public-key=ON
loose-group-replication-member-expel-timeout=0
`;
}

/** Makes the data once and copies it, so that all nodes begin with the same history. */
async function makeFirstData(
  program: string,
  nodes: readonly ServerNode[],
  plans: readonly NodePlan[],
): Promise<void> {
  const [first] = nodes as [ServerNode];
  const { folder } = first.settings;
  initialiseDataFolder({ path: program, flavor: "mysql" }, join(folder, "data"));
  first.start();
  await first.waitUntil("it answered", async () => (await first.query("SELECT 1")).length === 1);
  await first.query("CREATE USER root@'127.0.0.1'");
  await first.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION");
  await first.query(`CREATE DATABASE ${DATABASE_NAME} CHARACTER SET utf8mb4`);
  await first.stop();
  for (const other of plans.slice(1)) {
    for (const name of ["data", "tmp"])
      cpSync(join(folder, name), join(other.folder, name), { recursive: true });
    // The server's own name, of which each makes a new one.
    rmSync(join(other.folder, "data", "auto.cnf"));
  }
}

/** Starts a node and has it join the group, or begin it. */
async function joinGroup(node: ServerNode, { bootstrap }: { bootstrap: boolean }): Promise<void> {
  node.start();
  await node.waitUntil("it answered", async () => (await node.query("SELECT 1")).length === 1);
  await node.query(
    "CHANGE REPLICATION SOURCE TO SOURCE_USER='root' FOR CHANNEL 'group_replication_recovery'",
  );
  if (bootstrap) await node.query("SET GLOBAL group_replication_bootstrap_group = ON");
  await node.run("START GROUP_REPLICATION");
  if (bootstrap) await node.query("SET GLOBAL group_replication_bootstrap_group = OFF");
  await untilOnline(node, []);
}

interface Member {
  readonly id: string;
  readonly port: number;
  readonly state: string;
  readonly role: string;
}

const membersSeenBy = (node: ServerNode) =>
  node.query<Member>(
    `SELECT member_id AS id, member_port AS port, member_state AS state, member_role AS role
     FROM performance_schema.replication_group_members`,
  );

/** What the node itself says is not enough: one that was frozen does not know yet that it was expelled. */
async function untilOnline(node: ServerNode, witnesses: readonly ServerNode[]): Promise<void> {
  await node.waitUntil("it was a member", async () => {
    const views = await Promise.all([node, ...witnesses].map(membersSeenBy));
    return views.every((members) =>
      members.some(({ port, state }) => port === node.settings.port && state === "ONLINE"),
    );
  });
}

/** What most of the group agrees upon, as soon as they have said so: a node that is frozen or alone is not waited for. */
async function primaryOf(nodes: readonly ServerNode[]): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const votes: number[] = [];
  const asked = nodes.map(async (node) => {
    const vote = primarySeenIn(await membersSeenBy(node).catch(() => []));
    if (vote === null) return;
    votes.push(vote);
    if (votes.filter((other) => other === vote).length * 2 > NODES) resolve(vote);
  });
  void Promise.all(asked).then(() => resolve(null));
  return promise;
}

function primarySeenIn(members: readonly Member[]): number | null {
  const online = members.filter(({ state }) => state === "ONLINE");
  if (online.length * 2 <= NODES) return null;
  return online.find(({ role }) => role === "PRIMARY")?.port ?? null;
}

function nodeOf(node: ServerNode, nodes: readonly ServerNode[]): ClusterNode {
  const others = nodes.filter((other) => other !== node);
  const rejoin = async () => {
    await node.waitUntil("it answered", async () => (await node.query("SELECT 1")).length === 1);
    // It may have come back by itself.
    await node.run("START GROUP_REPLICATION").catch(() => {});
    await untilOnline(node, others);
  };
  return {
    url: `mysql://root@127.0.0.1:${node.settings.port}/${DATABASE_NAME}`,
    kill: node.kill,
    stop: node.stop,
    async restart() {
      node.start();
      await rejoin();
    },
    freeze: node.freeze,
    async thaw() {
      node.thaw();
      await rejoin();
    },
    cutOff: () => node.run("STOP GROUP_REPLICATION"),
    connect: rejoin,
  };
}

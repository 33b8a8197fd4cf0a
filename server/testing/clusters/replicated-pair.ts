import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { initialiseDataFolder } from "../../embedded-database/database-server.ts";
import { requireServerProgram } from "../../embedded-database/server-program.ts";
import { makeServerFolder } from "../database/server-folder.ts";
import { findStablePort } from "../free-port.ts";
import { DATABASE_NAME } from "./database-cluster.ts";
import { commonSettings, createServerNode, type ServerNode } from "./server-node.ts";

/** The source waits for its replica for as long as it takes: with a limit it would go on without, and lose commits. */
const ACKNOWLEDGEMENT_TIMEOUT_MS = 2_147_483_647;
const SEMI_SYNCHRONOUS_SETTINGS = `rpl-semi-sync-master-wait-point=AFTER_SYNC
rpl-semi-sync-master-timeout=${ACKNOWLEDGEMENT_TIMEOUT_MS}
rpl-semi-sync-slave-enabled=ON
`;

/**
 * Semi-synchronous: the source's commits are answered only when its replica has them. Asynchronous: the replica is sent them
 * some time after, and lacks what it had not received when the source is lost.
 */
type Replication = "semi-synchronous" | "asynchronous";

/** A source and its replica. */
export interface ReplicatedPair {
  /** The port of the server that may write. */
  readonly primaryPort: () => number;
  /** Waits until the replica has all that the source has. */
  untilReplicaHasAll(): Promise<void>;
  /** The replica is sent nothing any more, as when the network between the two is cut. */
  stopReceiving(): Promise<void>;
  freezeSource(): void;
  killSource(): Promise<void>;
  /** Makes the replica the server that may write, when it has applied all that it was sent. */
  promoteReplica(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts two MariaDB servers, with the shop's database, which is empty. Takes about five seconds. */
export async function startReplicatedPair(replication: Replication): Promise<ReplicatedPair> {
  const program = requireServerProgram((line) => console.error(line)).path;
  const [source, replica] = [await planNode(program), await planNode(program)];
  const dispose = async () => {
    for (const node of [source, replica]) {
      await node.kill();
      rmSync(node.settings.folder, { recursive: true, force: true });
    }
  };
  try {
    const settings = (node: ServerNode, id: number) =>
      settingsOf(node, id) + (replication === "asynchronous" ? "" : SEMI_SYNCHRONOUS_SETTINGS);
    writeFileSync(join(source.settings.folder, "my.cnf"), settings(source, 1));
    writeFileSync(join(replica.settings.folder, "my.cnf"), `${settings(replica, 2)}read-only=ON\n`);
    await makeFirstData(source, replica);
    await startBoth(source, replica);
    if (replication === "semi-synchronous") await waitForReplicaFromNowOn(source);
  } catch (error) {
    await dispose();
    throw error;
  }
  let primary = source;
  return {
    primaryPort: () => primary.settings.port,
    untilReplicaHasAll: () =>
      replica.waitUntil("it had all that its source has", async () => {
        const [written] = await source.query<{ position: string }>("SELECT @@gtid_binlog_pos AS position");
        return written?.position === (await appliedBy(replica));
      }),
    stopReceiving: () => replica.run("STOP SLAVE IO_THREAD"),
    freezeSource: source.freeze,
    killSource: source.kill,
    async promoteReplica() {
      await replica.run("STOP SLAVE IO_THREAD");
      await replica.waitUntil("all that it was sent was applied", () => hasAppliedAll(replica));
      await replica.run("STOP SLAVE");
      if (replication === "semi-synchronous")
        await replica.run("SET GLOBAL rpl_semi_sync_slave_enabled = OFF");
      await replica.run("SET GLOBAL read_only = OFF");
      primary = replica;
    },
    dispose,
  };
}

async function planNode(program: string): Promise<ServerNode> {
  return createServerNode({ program, folder: makeServerFolder(), port: await findStablePort() });
}

function settingsOf({ settings: { folder, port } }: ServerNode, serverId: number): string {
  return `${commonSettings({ folder, port })}
innodb-flush-log-at-trx-commit=1
sync-binlog=1
server-id=${serverId}
log-bin=binlog
log-slave-updates=ON
binlog-format=ROW
`;
}

async function makeFirstData(source: ServerNode, replica: ServerNode): Promise<void> {
  const { program, folder } = source.settings;
  initialiseDataFolder({ path: program, flavor: "mariadb" }, join(folder, "data"));
  source.start();
  await untilAnswering(source);
  await source.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'");
  await source.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION");
  await source.query(`CREATE DATABASE ${DATABASE_NAME} CHARACTER SET utf8mb4`);
  await source.query("RESET MASTER");
  await source.stop();
  for (const name of ["data", "tmp"])
    cpSync(join(folder, name), join(replica.settings.folder, name), { recursive: true });
}

async function startBoth(source: ServerNode, replica: ServerNode): Promise<void> {
  for (const node of [source, replica]) {
    node.start();
    await untilAnswering(node);
  }
  const address = `MASTER_HOST='127.0.0.1', MASTER_PORT=${source.settings.port}, MASTER_USER='root'`;
  await replica.run(`CHANGE MASTER TO ${address}, MASTER_USE_GTID=slave_pos`);
  await replica.run("START SLAVE");
}

/** From now on no commit is answered that its replica does not have. */
async function waitForReplicaFromNowOn(source: ServerNode): Promise<void> {
  await source.run("SET GLOBAL rpl_semi_sync_master_enabled = ON");
  await source.waitUntil("its replica had come", async () => {
    const [row] = await source.query<{ Value: string }>("SHOW STATUS LIKE 'Rpl_semi_sync_master_clients'");
    return row?.Value === "1";
  });
}

function untilAnswering(node: ServerNode): Promise<void> {
  return node.waitUntil("it answered", async () => (await node.query("SELECT 1")).length === 1);
}

async function hasAppliedAll(replica: ServerNode): Promise<boolean> {
  const [received] = await replica.query<{ Gtid_IO_Pos: string }>("SHOW SLAVE STATUS");
  return (await appliedBy(replica)) === received?.Gtid_IO_Pos;
}

async function appliedBy(replica: ServerNode): Promise<string | undefined> {
  const [applied] = await replica.query<{ position: string }>("SELECT @@gtid_slave_pos AS position");
  return applied?.position;
}

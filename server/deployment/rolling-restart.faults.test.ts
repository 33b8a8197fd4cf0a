import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scaled } from "../testing/faults/fault-runs.ts";
import { addBuyer, startLoad } from "../testing/faults/load.ts";
import { findStablePort } from "../testing/free-port.ts";
import { startProgram } from "../testing/program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { openTestServices } from "../testing/test-shop.ts";
import { startTestUpstream } from "../testing/test-upstream.ts";

const REQUESTS = Math.max(300, scaled(10_000));
const MIN_RESTARTS = 4;
/** haproxy.cfg needs a second of drain; a busy machine may need more. */
const TIMES = { DRAIN_MS: "4000", STOP_TIMEOUT_MS: "60000" };

const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
const program = folders.map((folder) => join(folder, "haproxy")).find((path) => existsSync(path));

/** Where a process of the shop is, whichever it is at the moment. */
interface Place {
  readonly port: number;
  readonly adminPort: number;
}

test("none of 10,000 requests fails while each of two processes behind haproxy is restarted again and again", async ({
  skip,
}) => {
  if (program === undefined) skip("haproxy is not installed (apt-get install haproxy)");
  const services = await openTestServices();
  const upstream = await startTestUpstream();
  const buyer = await addBuyer(services, 10 * REQUESTS);
  const env = {
    ...TIMES,
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
  };
  const start = async ({ port, adminPort }: Place): Promise<ServerProcess> => {
    const ports = { PORT: `${port}`, ADMIN_PORT: `${adminPort}`, OPERATOR_PORT: "0" };
    const server = await startServerProcess(services.databaseUrl, { ...env, ...ports });
    onTestFinished(() => void server.kill("SIGKILL"));
    return server;
  };
  const places = [await newPlace(), await newPlace()] as const;
  const servers = [await start(places[0]), await start(places[1])];
  const port = await startHaproxy(places);
  const load = startLoad({ buyer, origin: () => `http://127.0.0.1:${port}` });
  let restarts = 0;
  while (restarts < MIN_RESTARTS || load.report().answered < REQUESTS) {
    const which = restarts % 2;
    await hasServed(servers[which] as ServerProcess);
    expect(await servers[which]?.kill("SIGTERM")).toBe(0);
    servers[which] = await start(places[which] as Place);
    await hasServed(servers[which] as ServerProcess);
    restarts += 1;
  }
  const { answered, refused, failures } = await load.stop();
  console.log(`${answered} requests and ${restarts} restarts behind haproxy: ${failures.length} failed`);
  expect([refused, failures]).toEqual([0, []]);
  for (const server of servers) await server.kill("SIGTERM");
  await services.dispose();
});

async function newPlace(): Promise<Place> {
  return { port: await findStablePort(), adminPort: await findStablePort() };
}

/** Starts haproxy with the file that operators are given, in front of two processes. @returns its port. */
async function startHaproxy([a, b]: readonly [Place, Place]): Promise<number> {
  const port = await findStablePort();
  const haproxy = startProgram(program ?? "", ["-db", "-f", join(import.meta.dirname, "haproxy.cfg")], {
    env: {
      SHOP_BIND: `127.0.0.1:${port}`,
      SHOP_A: `127.0.0.1:${a.port}`,
      SHOP_A_ADMIN: `${a.adminPort}`,
      SHOP_B: `127.0.0.1:${b.port}`,
      SHOP_B_ADMIN: `${b.adminPort}`,
    },
  });
  onTestFinished(async () => void (await haproxy.kill("SIGKILL")));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/shop/v1/pricing`).then(
      ({ status }) => status,
      () => haproxy.output(),
    );
  await expect.poll(isUp).toBe(200);
  return port;
}

/** Waits until haproxy has led requests to a process. */
async function hasServed({ adminUrl }: ServerProcess): Promise<void> {
  const served = async () => {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    return /http_request_duration_seconds_count\{interface="ordering",operation="createOrder"/.test(metrics);
  };
  await expect.poll(served).toBe(true);
}

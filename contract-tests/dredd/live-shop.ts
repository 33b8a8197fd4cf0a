import { expect, onTestFinished } from "vitest";
import type { Listener } from "../../server/http/document.ts";
import type { KeyKind } from "../../server/keys/api-key.ts";
import { startKillableDatabase } from "../../server/testing/database/killable-database.ts";
import { startServerProcess } from "../../server/testing/server-process.ts";
import { openTestServicesOn, type TestServices } from "../../server/testing/test-shop.ts";
import { startTestUpstream } from "../../server/testing/test-upstream.ts";
import type { Stage } from "./requests.ts";

/** The service as it runs in production. */
export interface LiveShop {
  /** Where buyers find the interfaces, without their base paths. */
  readonly url: string;
  /** The same on each port. */
  readonly urls: Readonly<Record<Listener, string>>;
  /** What operators do, and what tests build with it. */
  readonly services: TestServices;
  /** Secrets of keys; their accounts have money and are active where nothing else is said. */
  readonly keys: Readonly<Record<KeyKind, string>> & {
    readonly revoked: string;
    /** Of a suspended account. */
    readonly suspended: string;
    /** Of an account that may send one request in a minute. */
    readonly limited: string;
  };
  /** Takes away what the service is without from that stage on. */
  enter(stage: Stage): Promise<void>;
}

/** Where people open the pages, as a proxy in front of the service has it. */
export const PUBLIC_URL = "https://shop.example.com";
/** The most that an order waits for its supplier, so that a run does not wait longer. */
const TIMES = { SUPPLIER_TIMEOUT_MS: "500", ORDER_LEASE_MS: "60000" };

/**
 * Starts the server, as an operator does and without its own check of responses, in front of a database that can be killed
 * and a simulated upstream. All of it ends with the test, after an audit of the books.
 */
export async function startLiveShop(): Promise<LiveShop> {
  const [database, upstream] = await Promise.all([startKillableDatabase(), startTestUpstream()]);
  const services = openTestServicesOn({ ...database, tcpUrl: database.url, drop: database.dispose });
  let isKilled = false;
  let isBroken = false;
  onTestFinished(async () => {
    if (isKilled) await database.restart();
    if (isBroken) await renameTables(services, "there again");
    await services.dispose();
  });
  const server = await startServerProcess(database.url, {
    ...TIMES,
    NODE_ENV: "production",
    PUBLIC_URL,
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
  });
  onTestFinished(async () => {
    await server.kill("SIGKILL");
  });
  const { origin } = new URL(server.baseUrl);
  const keys = await addKeys(services);
  return {
    url: origin,
    urls: { public: origin, operator: server.operatorUrl ?? "" },
    services,
    keys,
    async enter(stage) {
      if (stage === "no upstream") await upstream.down();
      if (stage === "broken database") {
        isBroken = true;
        await renameTables(services, "gone");
        // What the service remembers for a moment would still let the next request in.
        await expect.poll(() => statusOf(`${origin}/v1/models`, keys.general)).toBe(500);
      }
      if (stage !== "no database") return;
      isKilled = true;
      await database.kill();
    },
  };
}

/** Without these no operation finds what it needs, though the database answers: nobody has foreseen that. */
const NEEDED_TABLES = [
  ...["api_keys", "accounts", "products", "orders", "models", "calls", "ledger_entries"],
  ...["users", "invitations", "passkeys", "passkey_challenges"],
];

async function renameTables({ database }: TestServices, how: "gone" | "there again"): Promise<void> {
  const renamed = NEEDED_TABLES.map((table) =>
    how === "gone" ? `${table} TO ${table}_gone` : `${table}_gone TO ${table}`,
  );
  await database.change(`RENAME TABLE ${renamed.join(", ")}`);
}

async function statusOf(url: string, key: string): Promise<number> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  return answer.status;
}

async function addKeys({ accounts, keys, addAccount, addKey }: TestServices): Promise<LiveShop["keys"]> {
  const [accountId, gone] = [await addAccount(), await addAccount()];
  const { accountId: busy } = await accounts.create({ name: "Busy account", rpmLimit: 1 });
  const revoked = await addKey(accountId, "general");
  await keys.revoke(revoked.keyId);
  const suspended = await addKey(gone, "general");
  await accounts.suspend(gone);
  return {
    product_ordering: (await addKey(accountId, "product_ordering")).key,
    general: (await addKey(accountId, "general")).key,
    ai_proxy: (await addKey(accountId, "ai_proxy")).key,
    revoked: revoked.key,
    suspended: suspended.key,
    limited: (await addKey(busy, "general")).key,
  };
}

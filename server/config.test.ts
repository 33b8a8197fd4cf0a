import { expect, test } from "vitest";
import { ConfigError, loadConfig } from "./config.ts";

const KEY = Buffer.alloc(32, 1).toString("base64");
const GOOD = { DATABASE_URL: "mysql://root@localhost/shop", CODE_ENCRYPTION_KEYS: `k2:${KEY}, k1:${KEY}` };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test("what is not set has its default", () => {
  expect(loadConfig(GOOD)).toEqual({
    host: "127.0.0.1",
    port: 8080,
    adminHost: "127.0.0.1",
    adminPort: 9090,
    operatorHost: "127.0.0.1",
    operatorPort: 8081,
    operatorUrl: null,
    operatorSecondFactor: "required",
    databaseUrl: GOOD.DATABASE_URL,
    databasePoolSize: 32,
    codeEncryptionKeys: [
      { id: "k2", key: Buffer.alloc(32, 1) },
      { id: "k1", key: Buffer.alloc(32, 1) },
    ],
    keyPrefix: "svc_sk_",
    supplierTimeoutMs: 30_000,
    supplierLooksPerMinute: 30,
    orderLeaseMs: 75_000,
    retryableOrderMs: 86_400_000,
    selling: true,
    recoveryIntervalMs: 1_000,
    rollupIntervalMs: 10_000,
    upstreamUrl: null,
    isUpstreamHttpAllowed: false,
    upstreamApiKey: null,
    upstreamTimeoutMs: 600_000,
    callReadOnMs: 10_000,
    callsInFlightLimit: 64,
    callLeaseMs: 60_000,
    proxyTokenHeader: "proxy-token",
    proxyVersionHeader: "anthropic-version",
    rateLimitHeaderPrefix: "anthropic-ratelimit",
    drainMs: 0,
    stopTimeoutMs: 10_000,
    clientStallMs: 120_000,
    bodyMemoryMib: 320,
    accountBodyMemoryMib: 128,
    proxyCorsOrigins: [],
    orderingCorsOrigins: [],
    publicUrl: null,
    trustedProxies: ["127.0.0.0/8", "::1"],
    redisUrl: null,
    validateResponses: true,
    logLevel: "info",
  });
});

test("proxies that are trusted are addresses and networks", () => {
  const load = (TRUSTED_PROXIES: string) => ({ ...GOOD, TRUSTED_PROXIES });
  const all = ["10.0.0.5", "10.1.0.0/16", "2001:db8::/32", "::1"];
  expect(loadConfig(load(all.join(", ")))).toMatchObject({ trustedProxies: all });
  for (const wrong of ["proxy.example", "10.0.0.0/33", "10.0.0.5,", "10.0.0.0/8/8", "10.0.0.0/"])
    expect(faultsOf(load(wrong))).toEqual([expect.stringMatching(/^TRUSTED_PROXIES must be addresses/)]);
});

test("an order's lease outlasts two purchase calls", () => {
  const times = { SUPPLIER_TIMEOUT_MS: "1000", ORDER_LEASE_MS: "2000" };
  expect(() => loadConfig({ ...GOOD, ...times })).toThrow(/ORDER_LEASE_MS must be more than twice/);
  expect(loadConfig({ ...GOOD, ...times, ORDER_LEASE_MS: "2001" })).toMatchObject({ orderLeaseMs: 2_001 });
});

test("an upstream has a key, and its URL is without what would get in the way of paths", () => {
  const UPSTREAM_API_KEY = "upstream-key";
  const UPSTREAM_URL = "https://upstream.example/base/";
  expect(loadConfig({ ...GOOD, UPSTREAM_URL, UPSTREAM_API_KEY })).toMatchObject({
    upstreamUrl: "https://upstream.example/base",
    upstreamApiKey: UPSTREAM_API_KEY,
  });
  expect(faultsOf({ ...GOOD, UPSTREAM_URL })).toEqual(["UPSTREAM_API_KEY is required with UPSTREAM_URL"]);
  for (const url of ["upstream.example", "ftp://x", "https://x/?a=b", "https://x/#a", "https://me:pass@x"])
    expect(faultsOf({ ...GOOD, UPSTREAM_API_KEY, UPSTREAM_URL: url })).toHaveLength(1);
});

test("headers have their names in lower case, and only names that headers can have", () => {
  const names = { PROXY_TOKEN_HEADER: "X-Token", RATE_LIMIT_HEADER_PREFIX: "Acme-RateLimit" };
  expect(loadConfig({ ...GOOD, ...names })).toMatchObject({
    proxyTokenHeader: "x-token",
    rateLimitHeaderPrefix: "acme-ratelimit",
  });
  expect(faultsOf({ ...GOOD, PROXY_VERSION_HEADER: "a b", PROXY_TOKEN_HEADER: ":x" })).toHaveLength(2);
});

test("origins are written as browsers send them", () => {
  expect(
    loadConfig({ ...GOOD, PROXY_CORS_ORIGINS: "https://a.example, http://localhost:3000" }),
  ).toMatchObject({
    proxyCorsOrigins: ["https://a.example", "http://localhost:3000"],
    orderingCorsOrigins: [],
  });
  for (const origins of ["*", "https://a.example/", "a.example", "https://a.example,"])
    expect(faultsOf({ ...GOOD, ORDERING_CORS_ORIGINS: origins })).toHaveLength(1);
});

test("an empty variable is one that is not set", () => {
  expect(loadConfig({ ...GOOD, PORT: "", REDIS_URL: "" })).toMatchObject({ port: 8080, redisUrl: null });
});

test("responses are held against the contract except in production, unless told otherwise", () => {
  expect(loadConfig({ ...GOOD, NODE_ENV: "production" }).validateResponses).toBe(false);
  expect(loadConfig({ ...GOOD, NODE_ENV: "production", VALIDATE_RESPONSES: "on" }).validateResponses).toBe(
    true,
  );
  expect(loadConfig({ ...GOOD, VALIDATE_RESPONSES: "off" }).validateResponses).toBe(false);
});

test.each([
  "mysql:/shop:pw@x",
  "mysql:shop:pw@x",
  "mysql:///shop:pw@x",
  "mysql://host/shop:pw@x",
  "mysql://host/",
  "mysql://host/a/b",
])("DATABASE_URL=%s is refused, and not repeated", (DATABASE_URL) => {
  const faults = faultsOf({ ...GOOD, DATABASE_URL });
  expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL must be of the form/)]);
  expect(faults[0]).not.toContain("pw");
});

test.each(["mysql://u:p@db.example:3307/shop?ssl=x", "mysql:///shop?socketPath=%2Frun%2Fdb.sock"])(
  "DATABASE_URL=%s is taken",
  (DATABASE_URL) => {
    expect(loadConfig({ ...GOOD, DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  },
);

test("an upstream is reached over http on this machine only, unless that is allowed", () => {
  const env = { ...GOOD, UPSTREAM_API_KEY: "key" };
  for (const UPSTREAM_URL of [
    "http://127.0.0.1:4030",
    "http://localhost",
    "http://[::1]:1",
    "https://a.example",
  ])
    expect(faultsOf({ ...env, UPSTREAM_URL })).toEqual([]);
  for (const UPSTREAM_URL of ["http://upstream.example", "http://10.0.0.1", "http://127.0.0.1.example"]) {
    expect(faultsOf({ ...env, UPSTREAM_URL })).toEqual([expect.stringMatching(/^UPSTREAM_URL must begin/)]);
    expect(faultsOf({ ...env, UPSTREAM_URL, UPSTREAM_HTTP_ALLOWED: "on" })).toEqual([]);
  }
});

test("operators do without a second factor on this machine alone", () => {
  const optional = { ...GOOD, OPERATOR_SECOND_FACTOR: "optional" };
  for (const OPERATOR_HOST of ["127.0.0.1", "localhost", "::1"])
    expect(faultsOf({ ...optional, OPERATOR_HOST, OPERATOR_URL: "http://localhost:8081" })).toEqual([]);
  const refused = [expect.stringMatching(/^OPERATOR_SECOND_FACTOR may be optional only/)];
  expect(faultsOf({ ...optional, OPERATOR_HOST: "0.0.0.0" })).toEqual(refused);
  expect(faultsOf({ ...optional, OPERATOR_URL: "https://console.example" })).toEqual(refused);
});

test("every fault is reported at once", () => {
  const faults = faultsOf({
    PORT: "http",
    ADMIN_PORT: "65536",
    LOG_LEVEL: "loud",
    DATABASE_URL: "postgres://x/y",
  });
  expect(faults.map((fault) => fault.split(" ")[0]).toSorted()).toEqual([
    "ADMIN_PORT",
    "CODE_ENCRYPTION_KEYS",
    "DATABASE_URL",
    "LOG_LEVEL",
    "PORT",
  ]);
});

test("what settings demand of each other is reported with the other faults, unless one of them is faulty itself", () => {
  const lease = { SUPPLIER_TIMEOUT_MS: "1000", ORDER_LEASE_MS: "2000" };
  expect(faultsOf({ ...GOOD, ...lease, PORT: "http", UPSTREAM_URL: "https://upstream.example" })).toEqual([
    expect.stringMatching(/^PORT must be/),
    expect.stringMatching(/^ORDER_LEASE_MS must be more than twice/),
    "UPSTREAM_API_KEY is required with UPSTREAM_URL",
  ]);
  expect(faultsOf({ ...GOOD, ...lease, SUPPLIER_TIMEOUT_MS: "soon" })).toHaveLength(1);
});

test.each([
  ["k1:short", "too short"],
  [KEY, "no id"],
  [`k1:${KEY},k1:${KEY}`, "an id twice"],
  [`k 1:${KEY}`, "a bad id"],
])("encryption keys like %s are refused (%s) without being repeated", (value) => {
  const faults = faultsOf({ ...GOOD, CODE_ENCRYPTION_KEYS: value });
  expect(faults).toHaveLength(1);
  expect(faults[0]).not.toContain(value);
});

test.each(["0", "65535"])("PORT=%s is accepted", (PORT) => {
  expect(loadConfig({ ...GOOD, PORT }).port).toBe(Number(PORT));
});

test.each(["-1", "1.5", "65536", "0x50", " 80"])("PORT=%s is refused", (PORT) => {
  expect(faultsOf({ ...GOOD, PORT })).toEqual(["PORT must be a whole number from 0 to 65535"]);
});

test("a process drains in production, and must be given longer to stop than to drain", () => {
  expect(loadConfig({ ...GOOD, NODE_ENV: "production" }).drainMs).toBe(2_000);
  expect(faultsOf({ ...GOOD, DRAIN_MS: "10000" })).toEqual([
    "STOP_TIMEOUT_MS must be more than DRAIN_MS, or nothing under way could be ended",
  ]);
  expect(loadConfig({ ...GOOD, DRAIN_MS: "10000", STOP_TIMEOUT_MS: "10001" }).stopTimeoutMs).toBe(10_001);
});

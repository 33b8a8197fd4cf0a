// Every environment variable that a person may set, each in one place: from here come the types, the reading, and the
// tables in server/operator/README.md, which `npm run settings` writes. What one of our programs passes to another in an
// environment is no setting. The settings of tests are in server/settings/test-settings.ts.
import { z } from "zod";
import {
  baseUrl,
  databaseUrl,
  headerName,
  keyRing,
  networks,
  oneOf,
  onOrOff,
  origins,
  printableAscii,
  wholeNumber,
} from "./schemas.ts";
import type { Environment, Settings } from "./setting.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Whether this is a shop in production, as opposed to one for trying things out. */
export function isProduction(env: Environment): boolean {
  return env.NODE_ENV === "production";
}

/** What `npm start` uses on a terminal, where a line for every request would push its introduction out of sight. */
export const LOG_LEVEL_ON_TERMINAL = "warn";

/** What a process that serves the interfaces is set by; the operator's commands read the same. */
export const serviceSettings = {
  host: {
    variable: "HOST",
    schema: z.string(),
    default: "127.0.0.1",
    description: "The address that the service listens on.",
  },
  port: {
    variable: "PORT",
    schema: wholeNumber(0, 65_535),
    default: 8080,
    description: "The port of the interfaces. 0 takes any free one.",
  },
  /** Without a slash at its end. */
  publicUrl: {
    variable: "PUBLIC_URL",
    schema: baseUrl,
    default: null,
    description:
      "Where buyers reach the service, such as `https://shop.example`. `/docs` shows it and fills it into the contracts. Without it they name the address that each request came to, which shared caches must not keep. Passkeys belong to its host: with another one all are lost.",
  },
  trustedProxies: {
    variable: "TRUSTED_PROXIES",
    schema: networks,
    default: ["127.0.0.0/8", "::1"],
    defaultText: "this machine",
    description:
      "The proxies in front of the service whose `X-Forwarded-Proto` and `X-Forwarded-For` are believed: addresses and networks, such as `10.0.0.5,10.1.0.0/16`. `/docs` asks for the former where `PUBLIC_URL` is not set; the account center counts wrong attempts to sign in by the address in the latter: behind a proxy that is missing here all people have one address, and the wrong attempts of one slow down all.",
  },
  adminHost: {
    variable: "ADMIN_HOST",
    schema: z.string(),
    default: "127.0.0.1",
    description:
      "The address that the admin port listens on: by default it can be reached from this machine alone. It asks for no key.",
  },
  adminPort: {
    variable: "ADMIN_PORT",
    schema: wholeNumber(0, 65_535),
    default: 9090,
    description:
      "The port of `/healthz` (process), `/readyz` (whether the database takes changes, and the process is not being stopped) and `/metrics` (Prometheus). 0 takes any free one.",
  },
  operatorHost: {
    variable: "OPERATOR_HOST",
    schema: z.string(),
    default: "127.0.0.1",
    description:
      "The address that the operator console listens on: by default it can be reached from this machine alone.",
  },
  operatorPort: {
    variable: "OPERATOR_PORT",
    schema: wholeNumber(0, 65_535),
    default: 8081,
    description: "The port of the operator console, which is served on no other. 0 takes any free one.",
  },
  /** Without a slash at its end. */
  operatorUrl: {
    variable: "OPERATOR_URL",
    schema: baseUrl,
    default: null,
    description:
      "Where operators reach the console, such as `https://console.example`: links that let people in begin with it. Without it they name this machine.",
  },
  operatorSecondFactor: {
    variable: "OPERATOR_SECOND_FACTOR",
    schema: oneOf(["required", "optional"]),
    default: "required",
    description:
      "Whether operators have to have a second factor before they may do anything else. `optional` is for trying things out, on this machine alone.",
  },
  drainMs: {
    variable: "DRAIN_MS",
    schema: wholeNumber(0, 600_000),
    default: (env: Environment) => (isProduction(env) ? 2_000 : 0),
    defaultText: "`0`, in production `2000`",
    description:
      "How long a process that is asked to stop (SIGTERM) goes on answering requests while `/readyz` says 503, so that a balancer notices before the port closes, and clients on the answer to their next request: twice the balancer's interval between two health checks.",
  },
  stopTimeoutMs: {
    variable: "STOP_TIMEOUT_MS",
    schema: wholeNumber(500, 3_600_000),
    default: 10_000,
    description:
      "How long a process that is asked to stop may take until it is gone, `DRAIN_MS` included: the time that streams and requests under way are given. Then streams are broken off and who still waits is told to come again.",
  },
  databaseUrl: {
    variable: "DATABASE_URL",
    schema: databaseUrl,
    defaultText: "embedded database",
    description:
      "`mysql://user:password@host:port/name`; MySQL 8.0+ or MariaDB 10.6+. Options of the driver go into the query, such as `?socketPath=…`.",
  },
  databasePoolSize: {
    variable: "DATABASE_POOL_SIZE",
    schema: wholeNumber(1, 1_000),
    default: 32,
    description:
      "Connections per process. Each keeps up to 240 prepared statements: the server's `max_prepared_stmt_count` must allow 240 × `DATABASE_POOL_SIZE` for every process; one that starts and finds less says so in the log.",
  },
  codeEncryptionKeys: {
    variable: "CODE_ENCRYPTION_KEYS",
    schema: keyRing,
    defaultText: "made in `DATA_DIR`",
    description:
      "`id:base64 of 32 random bytes,…`; the first encrypts, all decrypt. Required with `DATABASE_URL`.",
  },
  keyPrefix: {
    variable: "KEY_PREFIX",
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,32}$/, { error: "must be 1 to 32 letters, digits and underscores" }),
    default: "svc_sk_",
    description: "What API keys start with.",
  },
  supplierTimeoutMs: {
    variable: "SUPPLIER_TIMEOUT_MS",
    schema: wholeNumber(100, 60_000),
    default: 30_000,
    description: "How long a supplier may take for one purchase, all repetitions included.",
  },
  supplierLooksPerMinute: {
    variable: "SUPPLIER_LOOKS_PER_MINUTE",
    schema: wholeNumber(1, 1_000_000),
    default: 30,
    description:
      "How often a process asks each supplier in a minute for buyers who only look: availability, catalog, orders that the account cannot pay. All processes together should stay well below the supplier's own request limit, of which the rest is kept for purchases. Beyond it, buyers see what was true up to a minute ago, or `supplier_unavailable`.",
  },
  orderLeaseMs: {
    variable: "ORDER_LEASE_MS",
    schema: wholeNumber(500, 600_000),
    default: 75_000,
    description:
      "How long a process may work on an on-demand order before another takes it for abandoned (one of which nothing was heard for 6 seconds is not waited for), and how long a lost request may still arrive at a supplier. More than twice `SUPPLIER_TIMEOUT_MS`; the same in all processes.",
  },
  retryableOrderMs: {
    variable: "RETRYABLE_ORDER_MS",
    schema: wholeNumber(1_000, 999_999_999),
    default: DAY_MS,
    description: "How long a `retryable` order waits to be sent again before it is closed.",
  },
  selling: {
    variable: "SELLING",
    schema: onOrOff,
    default: true,
    defaultText: "`on`",
    description:
      "`off`: nothing is sold, as long as an operator puts things in order: the catalog is shown with everything out of stock, new orders are refused with `out_of_stock`, and what was ordered before is answered and ended as always. It does not concern calls to models.",
  },
  recoveryIntervalMs: {
    variable: "RECOVERY_INTERVAL_MS",
    schema: wholeNumber(10, 60_000),
    default: 1_000,
    description: "How long a process rests between two searches for abandoned orders and calls.",
  },
  rollupIntervalMs: {
    variable: "ROLLUP_INTERVAL_MS",
    schema: wholeNumber(10, 3_600_000),
    default: 10_000,
    description:
      "How long a process rests before it adds what is new to the rollups that statistics are read from. Statistics are current whatever it is: what has not been added yet is read from the rows.",
  },
  /** Without a slash at its end. */
  upstreamUrl: {
    variable: "UPSTREAM_URL",
    schema: baseUrl,
    default: null,
    defaultText: "none; a simulator in a demo shop",
    description:
      "The root of the service that calls to models go to, such as `https://upstream.example`; paths begin with `/v1`. Without it calls get 503.",
  },
  isUpstreamHttpAllowed: {
    variable: "UPSTREAM_HTTP_ALLOWED",
    schema: onOrOff,
    default: false,
    defaultText: "`off`",
    description:
      "Whether `UPSTREAM_URL` may be `http://` at another machine. Prompts, answers and the shop's key can then be read on the way: for a network of your own.",
  },
  upstreamApiKey: {
    variable: "UPSTREAM_API_KEY",
    schema: printableAscii,
    default: null,
    description: "The shop's key there. Required with `UPSTREAM_URL`.",
  },
  upstreamTimeoutMs: {
    variable: "UPSTREAM_TIMEOUT_MS",
    schema: wholeNumber(100, 3_600_000),
    default: 600_000,
    description: "How long the upstream may take until its answer begins.",
  },
  callReadOnMs: {
    variable: "CALL_READ_ON_MS",
    schema: wholeNumber(0, 600_000),
    default: 10_000,
    description:
      "How long the upstream is read on after a caller has hung up, for its last count of what the call used; then it is stopped. `0`: not at all.",
  },
  callLeaseMs: {
    variable: "CALL_LEASE_MS",
    schema: wholeNumber(500, 600_000),
    default: 60_000,
    description:
      "How long a call's process may go without renewing its lease before another process ends the call. Its usage so far is recorded three times as often. The same in all processes.",
  },
  callsInFlightLimit: {
    variable: "CALLS_IN_FLIGHT_LIMIT",
    schema: wholeNumber(1, 1_000_000),
    default: 64,
    description:
      "The most calls to models that an account may have under way at once in one process; `account set` sets another for an account.",
  },
  proxyTokenHeader: {
    variable: "PROXY_TOKEN_HEADER",
    schema: headerName,
    default: "proxy-token",
    description: "The third header that a key for the AI proxy may be in.",
  },
  proxyVersionHeader: {
    variable: "PROXY_VERSION_HEADER",
    schema: headerName,
    default: "anthropic-version",
    description: "The header that carries the version of the upstream's interface; it is passed on.",
  },
  rateLimitHeaderPrefix: {
    variable: "RATE_LIMIT_HEADER_PREFIX",
    schema: headerName,
    default: "anthropic-ratelimit",
    description: "What the names of the headers about the request limit begin with.",
  },
  clientStallMs: {
    variable: "CLIENT_STALL_MS",
    schema: wholeNumber(100, 3_600_000),
    default: 120_000,
    description:
      "How long a client may take nothing of its answer. Then it counts as gone, and a call is charged for what was seen.",
  },
  bodyMemoryMib: {
    variable: "BODY_MEMORY_MIB",
    schema: wholeNumber(128, 65_536),
    default: 320,
    description:
      "MiB of memory that the bodies of requests may take in a process, from their first byte until the upstream has them. A body counts twice its size, and 48 bytes for each value and name in it. What finds no room gets 503 (orders 429) with `Retry-After`; a fifth is kept for small bodies. Allow for about as much again in the memory of the process, and for that of a thread, which the first large request to a model starts.",
  },
  accountBodyMemoryMib: {
    variable: "ACCOUNT_BODY_MEMORY_MIB",
    schema: wholeNumber(96, 65_536),
    default: 128,
    description: "The same for each account: what finds no room gets 429 with `Retry-After`.",
  },
  proxyCorsOrigins: {
    variable: "PROXY_CORS_ORIGINS",
    schema: origins,
    default: [],
    defaultText: "none",
    description:
      "Origins whose pages in browsers may call the AI proxy, such as `https://app.example,https://other.example`. A key in a page is known to all who open it: give such pages keys of accounts that may lose what they have.",
  },
  orderingCorsOrigins: {
    variable: "ORDERING_CORS_ORIGINS",
    schema: origins,
    default: [],
    defaultText: "none",
    description: "The same for the ordering interface, whose keys belong on servers.",
  },
  redisUrl: {
    variable: "REDIS_URL",
    schema: z.string().regex(/^rediss?:\/\/./, { error: "must be of the form redis://host:port" }),
    default: null,
    description:
      "`redis://host:port`: several processes share one count of requests per account, and of wrong attempts to sign in. Without it each counts for itself; while Redis is away each lets its share of the limit pass.",
  },
  validateResponses: {
    variable: "VALIDATE_RESPONSES",
    schema: onOrOff,
    default: (env: Environment) => !isProduction(env),
    defaultText: "`on`, in production `off`",
    description: "Whether every response is checked against the contract before it is sent.",
  },
  logLevel: {
    variable: "LOG_LEVEL",
    schema: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    default: "info",
    defaultText: `\`info\`, \`${LOG_LEVEL_ON_TERMINAL}\` on a terminal`,
    description:
      "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Logs are JSON lines on stdout and never hold keys, codes, bodies (prompts and answers) or the buyers' ids.",
  },
} as const satisfies Settings;

/** What the commands are set by that open a shop: `npm start`, `npm run operator`, `npm run migrate`. */
export const startSettings = {
  nodeEnv: {
    variable: "NODE_ENV",
    schema: z.string(),
    default: null,
    description: "`production` for production.",
  },
  dataDir: {
    variable: "DATA_DIR",
    schema: z.string(),
    default: ".data",
    description: "The folder of the embedded database and of its encryption key.",
  },
  isDemo: {
    variable: "DEMO",
    schema: onOrOff,
    default: (env: Environment) => !isProduction(env),
    defaultText: "`on`, in production `off`",
    description: "`off` opens an empty shop instead of a demo shop.",
  },
} as const satisfies Settings;

/** What only the operator's commands are set by. */
export const operatorSettings = {
  showsStacks: {
    variable: "DEBUG",
    schema: z.string().transform((text) => text === "1"),
    default: false,
    defaultText: "none",
    description: "`1` adds to an error where in the code it comes from.",
  },
} as const satisfies Settings;

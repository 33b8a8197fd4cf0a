import { z } from "zod";
import type { KeyRing } from "./stock/code-cipher.ts";

/** The environment does not describe a service that can run; `faults` says all that is wrong with it. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n  ${faults.join("\n  ")}`,
    );
    this.name = "ConfigError";
    this.faults = faults;
  }
}

const ENCRYPTION_KEY_BYTES = 32;

/** The times of on-demand orders where nothing else is set. */
export const ORDER_DEFAULTS = {
  supplierTimeoutMs: 30_000,
  orderLeaseMs: 75_000,
  retryableOrderMs: 24 * 60 * 60 * 1_000,
} as const;

/** What concerns calls to models, where nothing else is set. */
export const CALL_DEFAULTS = {
  upstreamUrl: null,
  upstreamApiKey: null,
  upstreamTimeoutMs: 600_000,
  callLeaseMs: 60_000,
  proxyVersionHeader: "anthropic-version",
} as const;

const port = (otherwise: number) => wholeNumber(0, 65_535, otherwise);

const environment = z
  .object({
    HOST: z.string().min(1).default("127.0.0.1"),
    PORT: port(8080),
    ADMIN_PORT: port(9090),
    DATABASE_URL: z
      .string({ error: "is required (mysql://user:password@host:port/name)" })
      .refine(
        (text) =>
          URL.canParse(text) && new URL(text).protocol === "mysql:" && new URL(text).pathname.length > 1,
        {
          error: "must be of the form mysql://user:password@host:port/name",
        },
      ),
    DATABASE_POOL_SIZE: wholeNumber(1, 1_000, 32),
    CODE_ENCRYPTION_KEYS: z
      .string({
        error: "is required (id:base64 of 32 random bytes, the current key first, separated by commas)",
      })
      .transform(parseKeyRing),
    KEY_PREFIX: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,32}$/, { error: "must be 1 to 32 letters, digits and underscores" })
      .default("svc_sk_"),
    SUPPLIER_TIMEOUT_MS: wholeNumber(100, 60_000, 30_000),
    ORDER_LEASE_MS: wholeNumber(500, 600_000, 75_000),
    RETRYABLE_ORDER_MS: wholeNumber(1_000, 999_999_999, 24 * 60 * 60 * 1_000),
    RECOVERY_INTERVAL_MS: wholeNumber(10, 60_000, 1_000),
    UPSTREAM_URL: z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
        error: "must be of the form https://host or https://host/path",
      })
      .refine((text) => !URL.canParse(text) || isPlainBase(new URL(text)), {
        error: "must have no query, no fragment and no password in it",
      })
      .optional(),
    UPSTREAM_API_KEY: z
      .string()
      .regex(/^[!-~]+$/, { error: "must be printable ASCII without spaces" })
      .optional(),
    UPSTREAM_TIMEOUT_MS: wholeNumber(100, 3_600_000, CALL_DEFAULTS.upstreamTimeoutMs),
    CALL_LEASE_MS: wholeNumber(500, 600_000, CALL_DEFAULTS.callLeaseMs),
    PROXY_TOKEN_HEADER: headerName("proxy-token"),
    PROXY_VERSION_HEADER: headerName(CALL_DEFAULTS.proxyVersionHeader),
    RATE_LIMIT_HEADER_PREFIX: headerName("anthropic-ratelimit"),
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\/./, { error: "must be of the form redis://host:port" })
      .optional(),
    VALIDATE_RESPONSES: oneOf(["on", "off"]).optional(),
    LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    NODE_ENV: z.string().optional(),
  })
  .refine((env) => env.ORDER_LEASE_MS > 2 * env.SUPPLIER_TIMEOUT_MS, {
    path: ["ORDER_LEASE_MS"],
    error:
      "must be more than twice SUPPLIER_TIMEOUT_MS, or an order could be taken up while it is being bought",
  })
  .refine((env) => env.UPSTREAM_URL === undefined || env.UPSTREAM_API_KEY !== undefined, {
    path: ["UPSTREAM_API_KEY"],
    error: "is required with UPSTREAM_URL",
  });

/** Everything that can be set, read once. README.md documents each variable. */
export interface Config {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly adminPort: number;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly codeEncryptionKeys: KeyRing;
  readonly keyPrefix: string;
  /** How long a supplier may take for one purchase, all repetitions included. */
  readonly supplierTimeoutMs: number;
  /** How long a process may work on an order before another takes it for abandoned. */
  readonly orderLeaseMs: number;
  /** How long a retryable order waits to be sent again before it is closed. */
  readonly retryableOrderMs: number;
  /** How long a process rests between two looks for abandoned orders. */
  readonly recoveryIntervalMs: number;
  /** The service that calls to models are forwarded to, without a slash at its end; null when there is none. */
  readonly upstreamUrl: string | null;
  /** What this service shows there. Set when the URL is. */
  readonly upstreamApiKey: string | null;
  /** How long the upstream may take until the head of its answer. */
  readonly upstreamTimeoutMs: number;
  /** How long after its last sign of life a call is taken for abandoned. */
  readonly callLeaseMs: number;
  /** The third header that a key may be in, lower case. */
  readonly proxyTokenHeader: string;
  /** The header that names the version of the upstream's interface, lower case. */
  readonly proxyVersionHeader: string;
  /** What the names of the rate-limit headers begin with, lower case. */
  readonly rateLimitHeaderPrefix: string;
  /** Where several processes share their count of requests; null when there is only one. */
  readonly redisUrl: string | null;
  /** Whether responses are held against the contract before they are sent. */
  readonly validateResponses: boolean;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
}

/** Reads the configuration from environment variables. @throws {ConfigError} naming every fault at once. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`));
  }
  const { data } = parsed;
  return {
    host: data.HOST,
    port: data.PORT,
    adminPort: data.ADMIN_PORT,
    databaseUrl: data.DATABASE_URL,
    databasePoolSize: data.DATABASE_POOL_SIZE,
    codeEncryptionKeys: data.CODE_ENCRYPTION_KEYS,
    keyPrefix: data.KEY_PREFIX,
    supplierTimeoutMs: data.SUPPLIER_TIMEOUT_MS,
    orderLeaseMs: data.ORDER_LEASE_MS,
    retryableOrderMs: data.RETRYABLE_ORDER_MS,
    recoveryIntervalMs: data.RECOVERY_INTERVAL_MS,
    upstreamUrl: data.UPSTREAM_URL?.replace(/\/+$/, "") ?? null,
    upstreamApiKey: data.UPSTREAM_API_KEY ?? null,
    upstreamTimeoutMs: data.UPSTREAM_TIMEOUT_MS,
    callLeaseMs: data.CALL_LEASE_MS,
    proxyTokenHeader: data.PROXY_TOKEN_HEADER,
    proxyVersionHeader: data.PROXY_VERSION_HEADER,
    rateLimitHeaderPrefix: data.RATE_LIMIT_HEADER_PREFIX,
    redisUrl: data.REDIS_URL ?? null,
    validateResponses: data.VALIDATE_RESPONSES
      ? data.VALIDATE_RESPONSES === "on"
      : data.NODE_ENV !== "production",
    logLevel: data.LOG_LEVEL,
  };
}

function wholeNumber(least: number, most: number, otherwise: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error })
    .default(otherwise);
}

function headerName(otherwise: string) {
  return z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, {
      error: "must be 1 to 64 letters, digits and dashes, the first a letter",
    })
    .transform((name) => name.toLowerCase())
    .default(otherwise);
}

function isPlainBase({ search, hash, username, password }: URL): boolean {
  return `${search}${hash}${username}${password}` === "";
}

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of: ${words.join(", ")}` });
}

function parseKeyRing(text: string, context: z.RefinementCtx): KeyRing {
  const ring = text.split(",").map((entry) => {
    const [id = "", encoded = ""] = entry.trim().split(":", 2);
    return { id, key: Buffer.from(encoded, "base64") };
  });
  const malformed = ring.some(
    ({ id, key }) => !/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== ENCRYPTION_KEY_BYTES,
  );
  const repeated = new Set(ring.map(({ id }) => id)).size !== ring.length;
  // The value itself is a secret and must not be repeated in the message.
  if (malformed) context.addIssue("must be id:base64 of 32 random bytes, separated by commas");
  if (repeated) context.addIssue("names the same key id twice");
  return ring;
}

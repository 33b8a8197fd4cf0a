import { ConfigError } from "../config.ts";
import {
  CommitOutcomeUnknownError,
  ContentionError,
  DatabaseUnavailableError,
  isConnectionLost,
  isReadOnly,
} from "../database/faults.ts";
import { DomainError } from "../errors.ts";
import { InvalidKeyFieldError, type KeyField } from "../keys/errors.ts";
import { readSetting } from "../settings/setting.ts";
import { operatorSettings } from "../settings/settings.ts";
import { PROGRAM_NAME } from "./command.ts";
import { printable } from "./report.ts";

/** What was asked for cannot be done as it stands; found by the command line itself, before or between use cases. */
export class OperatorError extends Error {
  readonly nextStep: string;

  constructor(message: string, nextStep: string) {
    super(message);
    this.name = "OperatorError";
    this.nextStep = nextStep;
  }
}

interface Explanation {
  readonly message: string;
  readonly facts?: readonly string[];
  readonly nextStep: string;
}

/** Where to look when an error names one of these. */
const LOOK_AT: Readonly<Record<string, string>> = {
  account: "account list",
  key: "key list --account ID",
  user: "user list",
  product: "product list",
  productId: "product list",
  order: "order list",
  orderId: "order show ID",
  segment: "stock list --product ID",
  segmentId: "stock list --product ID",
  reference: "ledger --account ID",
  supplier: "supplier list",
  supplierId: "supplier list",
  model: "model list",
};

/** Where to look what a command has changed, by its first word. */
const LOOK_AFTER: Readonly<Record<string, string>> = {
  account: "account list",
  key: "key list --account ID",
  user: "user list",
  product: "product list",
  stock: "stock list --product ID",
  supplier: "supplier list",
  model: "model list",
  order: "order show ID",
  "top-up": "ledger --account ID",
  adjust: "ledger --account ID",
};

// Of the database's own errors, those that an operator can do something about.
const ACCESS_DENIED = new Set([1044, 1045, 1698]);
const NO_SUCH_DATABASE = 1049;
const OTHER_SCHEMA = new Set([1054, 1146]);
const TABLE_CHANGED = 1412;

/**
 * What an operator is told of an error: what happened, what is known about it, and what to do next.
 * @param argv the command that it ended.
 */
export function explainError(error: unknown, env: NodeJS.ProcessEnv, argv: readonly string[]): string {
  const { message, facts = [], nextStep } = explanationOf(error, env, argv);
  const lines = [`error: ${message}`, ...facts.map((fact) => `  ${fact}`), `Next step: ${nextStep}`];
  const showsStack = readSetting(operatorSettings.showsStacks, env);
  const stack = showsStack && error instanceof Error ? `\n${error.stack ?? ""}` : "";
  return lines.join("\n") + stack;
}

function explanationOf(error: unknown, env: NodeJS.ProcessEnv, argv: readonly string[]): Explanation {
  if (error instanceof OperatorError) return { message: error.message, nextStep: error.nextStep };
  if (error instanceof ConfigError) {
    return {
      message: error.message,
      nextStep: "set these environment variables, then run the command again.",
    };
  }
  if (error instanceof CommitOutcomeUnknownError) return explainUnknownOutcome(argv);
  if (error instanceof ContentionError) {
    return {
      message: "The database was too busy with the same data; nothing was changed.",
      nextStep: "run the command again.",
    };
  }
  const fault = explainDatabaseFault(error instanceof DatabaseUnavailableError ? error.cause : error, env);
  if (fault !== null) return fault;
  return error instanceof DomainError ? explainDomainError(error) : explainUnexpected(error);
}

/** Top-ups, adjustments and refunds know their references; a rotation and an import leave what is done. */
function explainUnknownOutcome(argv: readonly string[]): Explanation {
  const command = argv.find((word) => !word.startsWith("-")) ?? "";
  const look = LOOK_AFTER[command];
  const repeated = "top-ups, adjustments, refunds, imports and encryption-key rotate can simply be repeated.";
  return {
    message: "The connection to the database broke at the last moment; the change may have taken effect.",
    nextStep:
      look === undefined
        ? `run the command again: ${repeated}`
        : `look with: ${PROGRAM_NAME} ${look}; ${repeated}`,
  };
}

/** Errors whose own words are for buyers. */
const SUPPLIER_FAULTS: Readonly<Record<string, Explanation>> = {
  supplier_unavailable: {
    message: "The supplier does not answer, or not in a way that can be used.",
    nextStep: `see whether it answers, then run the command again: ${PROGRAM_NAME} supplier show ID`,
  },
  supplier_not_configured: {
    message: "The supplier does not accept the shop, or is disabled, or its API key cannot be read.",
    nextStep: `see how it is set up and whether it answers: ${PROGRAM_NAME} supplier show ID`,
  },
};

/** Where a field of a key is given. */
const OPTIONS_OF_KEYS: Readonly<Record<KeyField, string>> = {
  name: "--name",
  expiresAt: "the time of expiry",
  orderCap: "--order-cap",
  dailyCap: "--daily-cap",
  overlap: "--overlap",
  idempotencyKey: "--idempotency-key",
};

function explainDomainError(error: DomainError): Explanation {
  if (error instanceof InvalidKeyFieldError) {
    return {
      message: `${OPTIONS_OF_KEYS[error.field]} cannot be that. ${error.message}`,
      nextStep: "correct the value and run the command again; --help shows examples.",
    };
  }
  const supplierFault = SUPPLIER_FAULTS[error.code];
  if (supplierFault !== undefined) return supplierFault;
  const facts = Object.entries(error.facts)
    .filter(([, value]) => !error.message.includes(String(value)))
    .map(([name, value]) => `${name}: ${value}`);
  return { message: printable(error.message), facts: facts.map(printable), nextStep: nextStepAfter(error) };
}

function nextStepAfter({ code, facts }: DomainError): string {
  if (code === "key_exists")
    return "if its secret is lost, revoke that key, and make another with another idempotency key.";
  if (code === "import_interrupted") return "run the import again; what it had read is not for sale.";
  if (code === "processes_with_other_keys")
    return "put the key first in CODE_ENCRYPTION_KEYS there and restart them; one that was killed is forgotten after 15 seconds.";
  if (code === "action_chain_broken")
    return `nothing was changed; see what was done to the log: ${PROGRAM_NAME} audit`;
  if (code === "wrong_encryption_keys") return "set CODE_ENCRYPTION_KEYS to what the server runs with.";
  const [look] = Object.keys(facts).flatMap((name) => LOOK_AT[name] ?? []);
  if (look !== undefined) return `see what there is: ${PROGRAM_NAME} ${look}`;
  return "correct the value and run the command again; --help shows examples.";
}

function explainDatabaseFault(error: unknown, env: NodeJS.ProcessEnv): Explanation | null {
  const { errno = 0, sqlMessage } = error as { errno?: number; sqlMessage?: string };
  const where = databaseOf(env);
  if (ACCESS_DENIED.has(errno)) {
    return {
      message: `The database ${where} refuses the user or the password.`,
      nextStep: "check both in DATABASE_URL, and what the user may do there.",
    };
  }
  if (errno === NO_SUCH_DATABASE) {
    return {
      message: `The server has no database ${where}.`,
      nextStep: "check the name in DATABASE_URL, or create the database and migrate it: npm run migrate",
    };
  }
  if (OTHER_SCHEMA.has(errno)) {
    return {
      message: `The database ${where} has another schema than this program: ${sqlMessage}`,
      nextStep: "bring it to the newest version: npm run migrate",
    };
  }
  if (errno === TABLE_CHANGED) {
    return {
      message: "A migration changed a table while it was read.",
      nextStep: "run the command again when the upgrade is done.",
    };
  }
  if (isConnectionLost(error)) {
    return {
      message: `The database ${where} cannot be reached (${(error as NodeJS.ErrnoException).code}).`,
      nextStep: "check that it runs, that host, port and name in DATABASE_URL are right, and the network.",
    };
  }
  if (isReadOnly(error)) {
    return {
      message: `The database ${where} takes no changes at the moment: ${sqlMessage}`,
      nextStep: "see whether it is the primary of its cluster, and has its quorum.",
    };
  }
  return null;
}

function explainUnexpected(error: unknown): Explanation {
  // A database error's own words, without the statement and the values that its message repeats.
  const { sqlMessage, message = String(error) } = error as { sqlMessage?: string; message?: string };
  const [firstLine = ""] = (sqlMessage ?? message).split("\n");
  return {
    message: `Something unexpected failed: ${printable(firstLine)}`,
    nextStep: "run the command again with DEBUG=1 for the details, and report them.",
  };
}

// The address without user and password.
function databaseOf({ DATABASE_URL: url = "" }: NodeJS.ProcessEnv): string {
  if (!URL.canParse(url)) return "at DATABASE_URL";
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get("socketPath") ?? host}${pathname}`;
}

import { ConfigError } from "../config.ts";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "../database/faults.ts";

const MAX_PORT = 65_535;
/** So far from a port that is taken are those that are named in its place. */
const AWAY = 100;

/** Tells a person why a command ended, with the next step where there is one, and sets the exit code. */
export function reportFailure(error: unknown): void {
  console.error(describe(error));
  process.exitCode = 1;
}

function describe(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof DatabaseUnavailableError || error instanceof CommitOutcomeUnknownError)
    return describe(error.cause);
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === "listen") return `${error.message}\n${portAdvice(code, port)}`;
  if (isDatabaseFault(error)) {
    const reason = error.message || code;
    return `The database cannot be used: ${reason}\nCheck DATABASE_URL and that its server runs and has the database it names.`;
  }
  // An unexpected error is the one case in which the stack helps; what we throw ourselves says enough.
  return code === undefined && error.constructor === Error ? error.message : (error.stack ?? error.message);
}

/** Ends with a line that can be run as it stands: the port behind 8080 is the console's own. */
function portAdvice(code: string | undefined, port = 8_080): string {
  const reason = code === "EADDRINUSE" ? "Another program uses this port." : "This port cannot be used.";
  const first = port + AWAY + 2 > MAX_PORT ? port - AWAY : port + AWAY;
  return `${reason} Choose other ones: PORT=${first} OPERATOR_PORT=${first + 1} ADMIN_PORT=${first + 2} npm start`;
}

function isDatabaseFault(error: Error): boolean {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  return "sqlState" in error || syscall === "connect" || syscall === "getaddrinfo" || code.startsWith("ER_");
}

import { ConfigError } from "../config.ts";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "../database/faults.ts";

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

function portAdvice(code: string | undefined, port: number | undefined): string {
  const next = `${(port ?? 8080) + 1}`;
  const reason = code === "EADDRINUSE" ? "Another program uses this port." : "This port cannot be used.";
  return `${reason} Choose other ones: PORT=${next} OPERATOR_PORT=… ADMIN_PORT=… npm start`;
}

function isDatabaseFault(error: Error): boolean {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  return "sqlState" in error || syscall === "connect" || syscall === "getaddrinfo" || code.startsWith("ER_");
}

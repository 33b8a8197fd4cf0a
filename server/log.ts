import type { Logger } from "pino";

/** Where the service says what people should know. Never a key, a code, a body or a buyer's id. */
export type Log = Pick<Logger, "info" | "warn" | "error">;

/** Why there is no answer: none in time, a connection that failed, or one that cannot be read. */
export type NoAnswerReason = "timeout" | "connection" | "unreadable";

/**
 * A request got no answer that could be read. Whether it took effect is not known: an order is sent again with the same
 * `externalOrderId`. `cause` is what broke; null where that could show what was answered.
 */
export class NoAnswerError extends Error {
  readonly reason: NoAnswerReason;
  /** The id that the request was sent with. */
  readonly requestId: string;

  constructor(reason: NoAnswerReason, requestId: string, cause: unknown) {
    super(`The request ${requestId} got no answer: ${WORDS[reason]}.`, { cause });
    this.name = "NoAnswerError";
    this.reason = reason;
    this.requestId = requestId;
  }
}

const WORDS: Readonly<Record<NoAnswerReason, string>> = {
  timeout: "it took too long",
  connection: "the connection failed",
  unreadable: "what came cannot be read",
};

import type { Response } from "express";
import type { Caller } from "../keys/api-key.ts";

/** What the steps of one request tell each other. */
export interface RequestContext {
  readonly requestId: string;
  /** Whether the request may pass; asked once, however many ways to give a key the document has. */
  admission?: Promise<boolean>;
  /** Set once the key is known. */
  caller?: Caller;
  /** Why the security handler refused; the validator would report any reason as 401. */
  refusal?: unknown;
  /** Why the body could not be read; matters only after the caller has been let in. */
  bodyFault?: string;
  /** The body byte for byte, where the interface passes bodies on. */
  bodyBytes?: Buffer;
  /** The path has percent-encoding that cannot be decoded, or characters that no id has. */
  pathFault?: string;
}

/** The context of the request that this response answers. */
export function contextOf(res: Response): RequestContext {
  return res.locals.context as RequestContext;
}

/** Starts the context of a request. */
export function beginContext(res: Response, context: RequestContext): void {
  res.locals.context = context;
}

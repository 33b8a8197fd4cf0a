import type { Request, Response } from "express";
import type { DomainError } from "../errors.ts";
import type { StreamedText } from "./answer.ts";
import type { Judgement } from "./body-judge.ts";
import type { Waiting } from "./deadline.ts";
import type { Operation } from "./document.ts";
import type { RequestBody } from "./request-body.ts";

/** What validators that services share ask of the service whose request it is. */
export interface RequestValidation {
  /** Whether a request may pass, by the scopes that the document asks for. */
  letIn(req: Request, scopes: readonly string[]): Promise<boolean>;
  /** What is answered instead of an answer that breaks the contract. */
  answerFault(fault: Error): { readonly status: number; readonly body: object };
}

/** What the steps of one request tell each other. */
export interface RequestContext {
  readonly requestId: string;
  /** The name of the interface that owns the path; unset where none does. */
  interfaceName?: string;
  /** Set when the request came after the process was told to stop. */
  isTooLate?: boolean;
  /** All who wait for an answer of this process. */
  waiting?: Waiting;
  /** What documented paths begin with, of all interfaces. */
  documentedBases?: readonly string[];
  /** Set once path and method are those of an operation. */
  operation?: Operation;
  /** Set before the request is validated. */
  validation?: RequestValidation;
  /** Whether the request may pass; asked once, however many ways in the document has. */
  admission?: Promise<boolean>;
  /** Whom the interface has let in, in a form of its own. */
  principal?: unknown;
  /** Whose request it is, where the bodies of each account are bounded together. */
  account?: string;
  /** What the request log says of the principal, as far as it is known. */
  principalInLog?: Readonly<Record<string, string>>;
  /** Why the security handler refused; the validator would report any reason as 401. */
  refusal?: unknown;
  /** Why the body could not be read; matters only after the caller has been let in. */
  bodyFault?: string;
  /** What a thread has found of the request and its body, which the validator then does not look at. */
  judgement?: Judgement;
  /** The body, where the operation passes it on. */
  body?: RequestBody | undefined;
  /** The body that is read while it comes. */
  bodyText?: StreamedText;
  /** The path has percent-encoding that cannot be decoded, or characters that no id has. */
  pathFault?: string;
  /** What is said when nothing can be at the path, of an operation that has no 400; null: that there is nothing. */
  nothingAtPath?: () => DomainError | null;
}

/** The context of the request that this response answers. */
export function contextOf(res: Response): RequestContext {
  return res.locals.context as RequestContext;
}

/** Starts the context of a request. */
export function beginContext(res: Response, context: RequestContext): void {
  res.locals.context = context;
}

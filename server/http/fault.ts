import { DomainError } from "../errors.ts";
import { BadRequestError, UnauthorizedError } from "./errors.ts";
import type { RequestContext } from "./request-context.ts";

/** A fault of the request itself, which the validator reports by its status alone. */
export interface RequestFault {
  readonly status: 400 | 404 | 405;
  /** For people. */
  readonly message: string;
  /** Headers that belong to the answer, such as Allow. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How an error is answered, in the shape of an interface. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** Whether nobody foresaw it, so that it is logged for people to look into. */
  readonly unforeseen: boolean;
}

/** What went wrong, as far as it may be told to the caller; null when nobody foresaw it. */
export function faultOf(thrown: unknown, context: RequestContext): DomainError | RequestFault | null {
  const error = causeOf(thrown, context);
  if (error instanceof DomainError) return error;
  const {
    status,
    message,
    headers = {},
  } = error as {
    status?: number;
    message?: string;
    headers?: Record<string, string>;
  };
  switch (status) {
    case 400:
      return { status, headers, message: message ?? "The request is not valid." };
    case 404:
      return { status, headers, message: "There is nothing at this path." };
    case 405:
      return {
        status,
        headers,
        message: "This path does not know this method; the Allow header lists those it knows.",
      };
    case 413:
    case 415:
      return new BadRequestError(message ?? "The body cannot be read.");
    default:
      return null;
  }
}

/** What an interface says of an error that nobody foresaw, with status 500. */
export const UNFORESEEN_MESSAGE =
  "Something unexpected went wrong. Retry; name the X-Request-Id when you ask for help.";

// The validator reports a refusal of the security handler as 401 whatever it was, and an unreadable body as one that
// does not match; the context knows better.
function causeOf(thrown: unknown, context: RequestContext): unknown {
  const { status } = thrown as { status?: number };
  if (context.refusal !== undefined) return context.refusal;
  if (status === 401) return new UnauthorizedError();
  if (context.bodyFault !== undefined && (status === 400 || status === 415))
    return new BadRequestError(context.bodyFault);
  return thrown;
}

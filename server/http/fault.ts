import { DomainError, InvalidInputError } from "../errors.ts";
import { BadRequestError } from "./errors.ts";
import type { RequestContext } from "./request-context.ts";

/** A fault of the request itself, which the validator reports by its status alone. */
export interface RequestFault {
  readonly status: 400 | 404 | 405 | 408;
  /** For people. */
  readonly message: string;
  /** Headers that belong to the answer, such as Allow. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every place that breaks the contract; empty where the fault is none of a place. */
  readonly places: readonly FaultPlace[];
}

/** What the validator says of one place of a request. */
export interface FaultPlace {
  /** As a JSON pointer that begins with the part of the request, such as `/body/messages/0/role`. */
  readonly path: string;
  readonly message: string;
}

/** How an error is answered, in the shape of an interface. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** Whether it is none of the known faults, so that it is logged for operators to look into. */
  readonly unexpected: boolean;
}

/** Gives the answer of an interface to whatever went wrong. */
export type ToErrorAnswer = (thrown: unknown, context: RequestContext) => ErrorAnswer;

/** The shape that an interface gives its errors. */
export interface ErrorShape {
  /** The answer to an error of the domain; null when the interface does not know such an error. */
  ofDomain(error: DomainError): Omit<ErrorAnswer, "unexpected"> | null;
  /** The body for a fault of the request itself. */
  ofRequest(fault: RequestFault): object;
  /** The body of the 500 for an unexpected error. */
  ofUnexpected(message: string): object;
}

/** Makes the function that answers whatever went wrong; an unexpected error is a 500 without any detail. */
export function errorAnswers(shape: ErrorShape): ToErrorAnswer {
  return (thrown, context) => {
    const fault = faultOf(thrown, context);
    if (fault !== null && !(fault instanceof DomainError)) {
      const { status, headers } = fault;
      return { status, headers, body: shape.ofRequest(fault), unexpected: false };
    }
    const known = fault && shape.ofDomain(fault);
    if (known) return { ...known, unexpected: false };
    return { status: 500, headers: {}, body: shape.ofUnexpected(UNEXPECTED_ERROR_MESSAGE), unexpected: true };
  };
}

const UNEXPECTED_ERROR_MESSAGE =
  "Something unexpected went wrong. Retry; name the X-Request-Id when you ask for help.";

/** What went wrong, as far as it may be told to the caller; null when it is unexpected. */
function faultOf(thrown: unknown, context: RequestContext): DomainError | RequestFault | null {
  const error = causeOf(thrown, context);
  if (error instanceof DomainError) return error;
  const {
    status,
    message,
    headers = {},
    errors: places = [],
  } = error as {
    status?: number;
    message?: string;
    headers?: Record<string, string>;
    errors?: readonly FaultPlace[];
  };
  switch (status) {
    case 400:
      return { status, headers, places, message: message ?? "The request is not valid." };
    case 404:
      return { status, headers, places: [], message: "There is nothing at this path." };
    case 405:
      return {
        status,
        headers,
        places: [],
        message: "This path does not know this method; the Allow header lists those it knows.",
      };
    case 408:
      return {
        status,
        headers,
        places: [],
        message: "The request did not come to its end in time. Send it again.",
      };
    case 413:
    case 415:
      return new BadRequestError(message ?? "The body cannot be read.");
    default:
      return null;
  }
}

// The validator reports a refusal of the security handler as 401 whatever it was, and an unreadable body as one that
// does not match; the context knows better.
function causeOf(thrown: unknown, context: RequestContext): unknown {
  const { status } = thrown as { status?: number };
  if (context.refusal !== undefined) return context.refusal;
  if (context.bodyFault !== undefined && (status === 400 || status === 415))
    return new BadRequestError(context.bodyFault);
  // Where the document has no 400 only the path can be wrong: an id that nothing can have is the id of nothing.
  if (context.operation?.refusesInput === false && (status === 400 || thrown instanceof InvalidInputError))
    return context.nothingAtPath?.() ?? { status: 404 };
  return thrown;
}

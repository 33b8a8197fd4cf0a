import { DomainError } from "../errors.ts";

/** The request cannot be read: no JSON, no media type, a body that is too large. */
export class BadRequestError extends DomainError {
  readonly code = "bad_request";
}

import { ERROR_STATUSES } from "../../../generated/guestbook/errors.ts";
import type { components } from "../../../generated/guestbook/types.ts";
import { errorAnswers, type RequestFault } from "../../http/fault.ts";

type ApiError = components["schemas"]["ApiError"];
type ErrorCode = ApiError["error"];

/** Codes for faults of the HTTP request itself. */
const CODE_OF_FAULT: Readonly<Record<RequestFault["status"], ErrorCode>> = {
  400: "invalid_input",
  404: "not_found",
  405: "bad_request",
  408: "bad_request",
};

/** The guest book's answer to whatever went wrong. */
export const toGuestbookErrorAnswer = errorAnswers({
  ofDomain({ code, message }) {
    if (!isErrorCode(code)) return null;
    const body: ApiError = { error: code, message };
    return { status: ERROR_STATUSES[code], headers: {}, body };
  },
  ofRequest: ({ status, message }): ApiError => ({ error: CODE_OF_FAULT[status], message }),
  ofUnexpected: (message): ApiError => ({ error: "server_error", message }),
});

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}

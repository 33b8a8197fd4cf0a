import { ERROR_STATUSES } from "../../../generated/operator/errors.ts";
import { formErrorAnswers } from "../form-errors.ts";

/** The operator console's answer to whatever went wrong. */
export const toOperatorErrorAnswer = formErrorAnswers({ statuses: ERROR_STATUSES });

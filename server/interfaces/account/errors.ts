import { ERROR_STATUSES } from "../../../generated/account/errors.ts";
import { InvalidKeyFieldError, type KeyField } from "../../keys/errors.ts";
import { formErrorAnswers } from "../form-errors.ts";

/** What a field of a key is called in requests. */
const FIELDS_OF_KEYS: Readonly<Record<KeyField, string>> = {
  name: "name",
  expiresAt: "expiresAt",
  orderCap: "orderCap",
  dailyCap: "dailyCap",
  overlap: "overlapSeconds",
  idempotencyKey: "Idempotency-Key",
};

/** The account center's answer to whatever went wrong. */
export const toAccountErrorAnswer = formErrorAnswers({
  statuses: ERROR_STATUSES,
  fieldOf: (error) => (error instanceof InvalidKeyFieldError ? FIELDS_OF_KEYS[error.field] : null),
  headers: { "idempotency-key": FIELDS_OF_KEYS.idempotencyKey },
});

import { DomainError } from "../errors.ts";

/** The configured encryption keys are not all that the codes in the database were encrypted with. */
export class WrongEncryptionKeysError extends DomainError {
  readonly code = "wrong_encryption_keys";

  constructor() {
    super(
      "CODE_ENCRYPTION_KEYS does not hold every key that the codes in this database were encrypted with. " +
        "Put the missing one back, behind the current one; without it they cannot be read.",
    );
  }
}

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

/** A code is missing, was changed, or was put in another's place: it cannot be opened, and so is not sold. */
export class UnreadableCodeError extends Error {
  readonly productId: string;
  readonly sequence: bigint;
  /** The encryption key that it says it was encrypted with; null when there is nothing. */
  readonly encryptionKeyId: string | null;

  constructor(productId: string, sequence: bigint, encryptionKeyId: string | null) {
    super(`Code ${sequence} of product ${productId} cannot be opened.`);
    this.name = "UnreadableCodeError";
    this.productId = productId;
    this.sequence = sequence;
    this.encryptionKeyId = encryptionKeyId;
  }
}

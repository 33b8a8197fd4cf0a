import { DomainError, InvalidInputError } from "../errors.ts";
import type { KeyId } from "../ids.ts";

/** What of a key is given by people. */
export type KeyField = "name" | "expiresAt" | "orderCap" | "dailyCap" | "overlap" | "idempotencyKey";

/** A field of a key cannot have the value that was given. */
export class InvalidKeyFieldError extends InvalidInputError {
  readonly field: KeyField;

  constructor(field: KeyField, message: string) {
    super(message, { field });
    this.field = field;
  }
}

/** The account has a key already that was made under the same idempotency key; its secret was shown once. */
export class KeyExistsError extends DomainError {
  readonly code = "key_exists";

  constructor(keyId: KeyId) {
    super(`This idempotency key has made the key ${keyId} already.`, { key: keyId });
  }
}

/** The key is revoked or has expired, so a new secret of it would not work. */
export class KeyEndedError extends DomainError {
  readonly code = "key_ended";

  constructor(keyId: KeyId, standing: "revoked" | "expired") {
    super(`The key ${keyId} ${standing === "revoked" ? "is revoked" : "has expired"}.`, { key: keyId });
  }
}

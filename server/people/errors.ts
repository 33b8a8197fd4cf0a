import { DomainError, InvalidInputError, ServiceUnavailableError } from "../errors.ts";
import { MAX_PASSKEYS } from "./passkey.ts";

/** What of a person is given by people. */
export type PersonField = "email" | "name" | "password" | "currentPassword" | "newPassword";

/** A field of a person cannot have the value that was given. */
export class InvalidPersonFieldError extends InvalidInputError {
  readonly field: PersonField;

  constructor(field: PersonField, message: string) {
    super(message, { field });
    this.field = field;
  }
}

/** E-mail and password, or the passkey, are not those of anybody who may sign in; what is wrong is not told. */
export class SignInRefusedError extends DomainError {
  readonly code = "sign_in_refused";

  constructor(by: "password" | "passkey" = "password") {
    super(
      by === "password"
        ? "E-mail and password do not belong together, or there is nothing that you may sign in to."
        : "The passkey was not accepted, or there is nothing that you may sign in to.",
    );
  }
}

/** What a passkey has made or signed is not for the challenge or for this site, or the passkey is not known for the person. */
export class PasskeyRefusedError extends DomainError {
  readonly code = "passkey_refused";

  constructor() {
    super(
      "The passkey was not accepted. It is for another site, took too long, or is none of yours. Try again.",
    );
  }
}

/** The credential is a passkey already. */
export class PasskeyExistsError extends DomainError {
  readonly code = "passkey_exists";

  constructor() {
    super("This passkey is there already.");
  }
}

/** A person has as many passkeys as they may. */
export class TooManyPasskeysError extends DomainError {
  readonly code = "too_many_passkeys";

  constructor() {
    super(`There are ${MAX_PASSKEYS} passkeys already. Remove one that you do not use.`);
  }
}

/** The code is no right one, or was used before. */
export class WrongCodeError extends DomainError {
  readonly code = "wrong_code";

  constructor() {
    super("The code is wrong, or was used before. Wait for the next one.");
  }
}

/** There have been too many wrong attempts, from the same address or for the same person. */
export class TooManyAttemptsError extends DomainError {
  readonly code = "too_many_attempts";
  readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super("There were too many wrong attempts. Wait, then try again.");
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/** What was asked for wants a factor that was given in the last minutes. */
export class StepUpRequiredError extends DomainError {
  readonly code = "step_up_required";

  constructor() {
    super("Confirm first that it is you: with your second factor, or your password if you have none.");
  }
}

/** The link was used, has expired, was replaced by a newer one, or never was one. */
export class InvitationGoneError extends DomainError {
  readonly code = "invitation_gone";

  constructor() {
    super("This link was used already or is out of date. Ask for a new one.");
  }
}

/** There is a second factor already, or none where one is needed. */
export class SecondFactorError extends DomainError {
  readonly code = "second_factor";

  constructor(hasOne: boolean) {
    super(
      hasOne
        ? "There is a second factor already. Remove it before you set another."
        : "There is no second factor.",
      { hasSecondFactor: hasOne },
    );
  }
}

/** The account would have nobody left who may do everything. */
export class LastOwnerError extends DomainError {
  readonly code = "last_owner";

  constructor() {
    super("The account would have no owner any more. Make somebody else an owner first.");
  }
}

/** The shop would have nobody left who may do everything. */
export class LastAdminError extends DomainError {
  readonly code = "last_admin";

  constructor() {
    super("The shop would have no admin any more. Make somebody else an admin first.");
  }
}

/** So many passwords are being checked that this one would wait for too long. */
export class PasswordsBusyError extends ServiceUnavailableError {
  readonly code = "passwords_busy";
  readonly retryAfterSeconds = 5;

  constructor() {
    super("Too many people sign in at the moment. Wait, then retry.");
  }
}

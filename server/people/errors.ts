import { DomainError, InvalidInputError, ServiceUnavailableError } from "../errors.ts";

/** What of a person is given by people. */
export type PersonField = "email" | "name" | "password";

/** A field of a person cannot have the value that was given. */
export class InvalidPersonFieldError extends InvalidInputError {
  readonly field: PersonField;

  constructor(field: PersonField, message: string) {
    super(message, { field });
    this.field = field;
  }
}

/** E-mail and password are not those of anybody who may sign in; which of them is wrong is not told. */
export class SignInRefusedError extends DomainError {
  readonly code = "sign_in_refused";

  constructor() {
    super("E-mail and password do not belong together, or there is nothing that you may sign in to.");
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
    super(
      "Confirm first that it is you: with a code of your second factor, or your password if you have none.",
    );
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

/** So many passwords are being checked that this one would wait for too long. */
export class PasswordsBusyError extends ServiceUnavailableError {
  readonly code = "passwords_busy";
  readonly retryAfterSeconds = 5;

  constructor() {
    super("Too many people sign in at the moment. Wait, then retry.");
  }
}

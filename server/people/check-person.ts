import { z } from "zod";
import { InvalidPersonFieldError, type PersonField } from "./errors.ts";
import { MAX_PASSKEY_NAME_LENGTH } from "./passkey.ts";
import {
  MAX_EMAIL_LENGTH,
  MAX_PASSWORD_LENGTH,
  MAX_USER_NAME_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "./person.ts";

const EMAIL = z.email().max(MAX_EMAIL_LENGTH);

/** @throws {InvalidPersonFieldError} it is no e-mail address. */
export function checkEmail(email: string): void {
  if (!EMAIL.safeParse(email).success)
    throw new InvalidPersonFieldError("email", "Write an e-mail address such as ada@buyer.example.");
}

/** @throws {InvalidPersonFieldError} it is no name. */
export function checkName(name: string): void {
  if (name.trim() === "" || [...name].length > MAX_USER_NAME_LENGTH) {
    throw new InvalidPersonFieldError("name", `A name has 1 to ${MAX_USER_NAME_LENGTH} characters.`);
  }
}

/** @throws {InvalidPersonFieldError} it is no name of a passkey. */
export function checkPasskeyName(name: string): void {
  if (name.trim() === "" || [...name].length > MAX_PASSKEY_NAME_LENGTH)
    throw new InvalidPersonFieldError("name", `A name has 1 to ${MAX_PASSKEY_NAME_LENGTH} characters.`);
}

/** @throws {InvalidPersonFieldError} it may not be a password. */
export function checkPassword(password: string, field: PersonField = "password"): void {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw new InvalidPersonFieldError(
      field,
      `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
  }
}

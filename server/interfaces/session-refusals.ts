import { DomainError } from "../errors.ts";

/** The request may change something and comes from a page of another site, or does not say where it comes from. */
export class CrossSiteError extends DomainError {
  readonly code = "cross_site";

  constructor() {
    super("The request does not come from a page of this service.");
  }
}

/** The session still waits for the second factor. */
export class SecondFactorRequiredError extends DomainError {
  readonly code = "second_factor_required";

  constructor() {
    super("Give your second factor first.");
  }
}

/** The person has no second factor, and may do nothing else before they have one. */
export class SecondFactorMissingError extends DomainError {
  readonly code = "second_factor_missing";

  constructor() {
    super("Operators need a second factor. Set one up first.");
  }
}

/** The person's role does not allow the operation. */
export class RoleRequiredError extends DomainError {
  readonly code = "insufficient_scope";

  constructor(role: string) {
    super(`This needs the role ${role}.`, { requiredScope: role });
  }
}

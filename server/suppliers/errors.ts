import { DomainError } from "../errors.ts";

/** The supplier cannot be asked at the moment, or its answer is not certain yet; the same order may be sent again. */
export class SupplierUnavailableError extends DomainError {
  readonly code = "supplier_unavailable";

  constructor() {
    super(
      "The product's supplier does not answer at the moment. Retry with the same externalOrderId, with backoff.",
    );
  }
}

/** The shop cannot buy from the product's supplier until its operator has corrected something. */
export class SupplierNotConfiguredError extends DomainError {
  readonly code = "supplier_not_configured";

  constructor() {
    super(
      "The product cannot be bought until the shop has set up its supplier again. Do not loop; tell the shop.",
    );
  }
}

/** The supplier asks a cost that the shop does not accept. */
export class SupplierPriceChangedError extends DomainError {
  readonly code = "supplier_price_changed";

  constructor() {
    super("The product's cost has changed and the shop has to set a new price. Wait, then order again.");
  }
}

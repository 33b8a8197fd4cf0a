import type { SupplierNotConfiguredError, SupplierUnavailableError } from "../suppliers/errors.ts";
import type { Quote } from "../suppliers/supplier.ts";
import { isAcceptableCost } from "./acceptable-cost.ts";
import type { PricedProduct, Supply } from "./product.ts";

/**
 * Whether a quantity of a product can be bought now, as the ordering interface prints it. `unavailable`: not until the
 * operator has done something.
 */
export type AvailabilityStatus = "available" | "out_of_stock" | "supplier_unavailable" | "unavailable";

/** A priced product with what can be had of it at a moment. */
export interface Offer extends PricedProduct {
  /** How many codes are in stock; null for an on-demand product, since only its supplier knows. */
  readonly remaining: number | null;
  readonly status: AvailabilityStatus;
}

/** Why a supplier could not be asked. */
export type SupplierFault = SupplierUnavailableError | SupplierNotConfiguredError;

/** A quantity of a product that sells imported codes. */
export function offerFromStock(priced: PricedProduct, remaining: number, qty: number): Offer {
  return { ...priced, remaining, status: remaining >= qty ? "available" : "out_of_stock" };
}

/** An on-demand product, given what its supplier has to say of the quantity; undefined: it does not sell it. */
export function offerOnDemand(
  priced: PricedProduct,
  { maxUnitCostMicrocents }: Supply,
  quote: Quote | undefined,
): Offer {
  return { ...priced, remaining: null, status: statusOf(quote, maxUnitCostMicrocents) };
}

/** An on-demand product whose supplier could not be asked. */
export function offerWithoutQuote(priced: PricedProduct, { code }: SupplierFault): Offer {
  const status = code === "supplier_unavailable" ? code : "unavailable";
  return { ...priced, remaining: null, status };
}

/** An offer of a shop that sells nothing at the moment. */
export function withoutStock(offer: Offer): Offer {
  return { ...offer, remaining: offer.product.supply === null ? 0 : null, status: "out_of_stock" };
}

// As an order is judged: by the cost first.
function statusOf(
  quote: Quote | undefined,
  maxUnitCost: Supply["maxUnitCostMicrocents"],
): AvailabilityStatus {
  if (quote === undefined || !isAcceptableCost(quote.unitCostMicrocents, maxUnitCost)) return "unavailable";
  return quote.available ? "available" : "out_of_stock";
}

import { isWholeCents, type Microcents } from "../money/microcents.ts";

const MIN_PLAUSIBLE_SHARE = 100n;

/**
 * Whether the shop may buy at this cost: above zero, at most the product's maximum, whole cents (others cannot be
 * agreed on), and no less than a hundredth of the maximum: a supplier that asks that little has made a mistake, and may be
 * selling something else.
 */
export function isAcceptableCost(unitCost: Microcents, maxUnitCost: Microcents): boolean {
  return (
    unitCost > 0n &&
    unitCost <= maxUnitCost &&
    unitCost * MIN_PLAUSIBLE_SHARE >= maxUnitCost &&
    isWholeCents(unitCost)
  );
}

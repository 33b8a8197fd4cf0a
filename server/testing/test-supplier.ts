import { randomBytes } from "node:crypto";
import type { Services } from "../compose.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { usd } from "./test-shop.ts";

/** What a test wants of an on-demand product; everything has a default. Amounts are in USD. */
interface OnDemandOptions {
  /** Who it is bought from; a new one when not given. The test closes it. */
  readonly simulator?: SupplierSimulator;
  /** A supplier that the shop knows already; otherwise it gets to know the simulator under a new id. */
  readonly supplierId?: string;
  /** Where the new supplier is reached, such as an interceptor in front of the simulator. */
  readonly supplierUrl?: string;
  readonly productId?: string;
  readonly supplierProductId?: string;
  /** The shop's price at every level. */
  readonly price?: string;
  /** The supplier's price. */
  readonly cost?: string;
  readonly maxCost?: string;
  /** What the supplier has; null: endless. */
  readonly stock?: number | null;
  /** The product's own; none when not given, so that orders carry the supplier's. */
  readonly redeemUrl?: string;
}

/** A product that is bought from a simulated supplier when it is ordered. */
interface OnDemandProduct {
  readonly simulator: SupplierSimulator;
  readonly supplierId: string;
  readonly supplierProductId: string;
  readonly productId: string;
}

/**
 * Adds an on-demand product, at the simulator and in the shop: 1.00 at every level, 0.50 at the supplier, at most 0.80.
 */
export async function addOnDemandProduct(
  { products, suppliers }: Pick<Services, "products" | "suppliers">,
  options: OnDemandOptions = {},
): Promise<OnDemandProduct> {
  const name = randomBytes(4).toString("hex");
  const { price = "1.00", cost = "0.50", maxCost = "0.80", stock = null, redeemUrl } = options;
  const {
    simulator = await startSupplierSimulator(),
    supplierId = `supplier-${name}`,
    productId = `on-demand-${name}`,
    supplierProductId = `supplied-${name}`,
    supplierUrl = simulator.url,
  } = options;
  simulator.setProduct({ productId: supplierProductId, unitPrice: cost, stock });
  if (options.supplierId === undefined) {
    await suppliers.add({ supplierId, baseUrl: supplierUrl, apiKey: simulator.apiKey });
  }
  await products.create({
    productId,
    name: `Product ${productId}`,
    supply: { supplierId, supplierProductId, maxUnitCostMicrocents: usd(maxCost) },
    ...(redeemUrl === undefined ? {} : { redeemUrl }),
  });
  const amount = usd(price);
  await products.setPrices(productId, { 1: amount, 2: amount, 3: amount, 4: amount, 5: amount });
  return { simulator, supplierId, supplierProductId, productId };
}

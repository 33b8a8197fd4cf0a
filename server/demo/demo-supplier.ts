import type { Services } from "../compose.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { inMicrocents, pricesInCents } from "./demo-prices.ts";

/** The product of the demo shop whose codes are bought when they are ordered. */
export const onDemandProductId = "demo-ai-on-demand";

const supplierId = "demo-supplier";
const supplierProductId = "ai-studio-month";
const maxUnitCostMicrocents = inMicrocents(1000);
const prices = pricesInCents([1200, 1180, 1160, 1140, 1120]);

type UseCases = Pick<Services, "products" | "suppliers">;

/**
 * Starts the simulated supplier that the demo shop buys from, lets the shop know where it is now, and sees to it that
 * the shop sells its product. It remembers no orders of earlier starts: what was not delivered then is bought anew.
 */
export async function startDemoSupplier(services: UseCases): Promise<SupplierSimulator> {
  const redeemUrl = `https://redeem.example/${onDemandProductId}`;
  const simulator = await startSupplierSimulator({
    products: [{ productId: supplierProductId, name: "AI Studio, 1 month", unitPrice: "9.00", redeemUrl }],
  });
  try {
    await ensureSupplier(services, simulator);
    await ensureOnDemandProduct(services);
    return simulator;
  } catch (error) {
    await simulator.close();
    throw error;
  }
}

async function ensureSupplier({ suppliers }: UseCases, { url, apiKey }: SupplierSimulator): Promise<void> {
  const known = await suppliers.list();
  if (!known.some((supplier) => supplier.supplierId === supplierId)) {
    await suppliers.add({ supplierId, baseUrl: url, apiKey });
    return;
  }
  await suppliers.setAccess(supplierId, { baseUrl: url, apiKey });
}

async function ensureOnDemandProduct({ products }: UseCases): Promise<void> {
  const catalog = await products.list();
  const known = catalog.find(({ product }) => product.productId === onDemandProductId)?.product;
  if (known === undefined) {
    const supply = { supplierId, supplierProductId, maxUnitCostMicrocents };
    await products.create({ productId: onDemandProductId, name: "AI Studio, 1 month", supply });
  }
  // Without any price it was cut short when it was made.
  if (known === undefined || Object.values(known.prices).every((price) => price === null)) {
    await products.setPrices(onDemandProductId, prices);
  }
}

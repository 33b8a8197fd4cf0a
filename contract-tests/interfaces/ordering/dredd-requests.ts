import { startSupplierSimulator } from "../../../server/simulators/supplier/supplier-simulator.ts";
import { requestShop } from "../../../server/testing/request-shop.ts";
import type { TestServices } from "../../../server/testing/test-shop.ts";
import { addOnDemandProduct } from "../../../server/testing/test-supplier.ts";
import { openContract } from "../../contract.ts";
import type { LiveShop } from "../../dredd/live-shop.ts";
import type { Requests } from "../../dredd/requests.ts";

/** Fills the shop with what the requests of the ordering interface are about. */
export async function dreddRequests({ url, services, keys }: LiveShop): Promise<Requests> {
  const { product_ordering: credential, general, ai_proxy: proxy, revoked, suspended, limited } = keys;
  const { inStock: productId, dear, withoutSupplier } = await addProducts(services);
  // Of level 1, which is sold nothing but what a supplier has that does not answer.
  const supplied = (await services.addKey(await services.addAccount("99"))).key;
  const body = { externalOrderId: "dredd-0", productId, qty: 1 };
  const baseUrl = url + openContract("ordering").basePath;
  const bought = await requestShop(baseUrl, "/orders", { key: credential, body });
  return {
    credential,
    exhausted: limited,
    usual: {
      checkAvailability: { path: { id: productId }, query: "qty=2" },
      createOrder: { body: { externalOrderId: "dredd-1", productId, qty: 2 } },
      listOrders: { query: "limit=1" },
      getOrder: { path: { id: bought.body.orderId } },
    },
    changes: {
      "listProducts 403": { credential: proxy },
      "listProducts 503": { credential: supplied },
      "checkAvailability 400": { query: "qty=0" },
      "checkAvailability 401": { credential: suspended },
      "checkAvailability 403": { credential: proxy },
      "checkAvailability 404": { path: { id: "no-such-product" } },
      "checkAvailability 503": { credential: supplied, path: { id: withoutSupplier } },
      "getBalance 401": { credential: suspended },
      "getBalance 403": { credential: proxy },
      "createOrder 400": { body: { qty: 0 } },
      "createOrder 401": { credential: revoked },
      "createOrder 402": { body: { externalOrderId: "dredd-2", productId: dear, qty: 1 } },
      "createOrder 403": { credential: general },
      "createOrder 404": { body: { externalOrderId: "dredd-3", productId: "no-such-product" } },
      "createOrder 409": { body: { externalOrderId: "dredd-4", expectedUnitPrice: "9999.99" } },
      "createOrder 500": { body: { externalOrderId: "dredd-5" }, stage: "broken database" },
      "createOrder 503": {
        credential: supplied,
        body: { externalOrderId: "dredd-6", productId: withoutSupplier, qty: 1 },
      },
      "listOrders 400": { query: "limit=0" },
      "listOrders 401": { credential: revoked },
      "listOrders 403": { credential: general },
      "getOrder 401": { credential: revoked },
      "getOrder 403": { credential: proxy },
      "getOrder 404": { path: { id: "no-such-order" } },
    },
  };
}

/** Accounts below 100 USD are of level 1, all others here of level 2 or higher. */
async function addProducts(services: TestServices) {
  const { productId: inStock } = await services.addProduct();
  // Dearer than what the accounts have.
  const { productId: dear } = await services.addProduct({ price: "1000.00" });
  for (const productId of [inStock, dear]) await services.products.setPrices(productId, { 1: null });
  const simulator = await startSupplierSimulator();
  const { productId: withoutSupplier } = await addOnDemandProduct(services, { simulator });
  await services.products.setPrices(withoutSupplier, { 2: null, 3: null, 4: null, 5: null });
  await simulator.close();
  return { inStock, dear, withoutSupplier };
}

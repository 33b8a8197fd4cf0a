// A buyer's program, to be killed: finishes what an earlier run has left, says so, and then buys without end, each time
// under an id that only its store knows.
import { createFileStore } from "../file-store.ts";
import { createOrderingClient } from "../ordering-client.ts";
import { createPurchases } from "../purchases.ts";

const { SHOP_URL = "", SHOP_API_KEY = "", SHOP_STORE = "", PRODUCT_ID = "" } = process.env;

const client = createOrderingClient({ baseUrl: SHOP_URL, apiKey: SHOP_API_KEY });
const purchases = createPurchases({ client, store: createFileStore(SHOP_STORE) });

await purchases.resumePurchases();
console.log("resumed");
const buyForever = async () => {
  for (;;) await purchases.purchase({ productId: PRODUCT_ID, qty: 2, expectedUnitPrice: "1.00" });
};
await Promise.all([buyForever(), buyForever(), buyForever()]);

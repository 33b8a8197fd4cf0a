import { toApiPricing } from "./convert-catalog.ts";
import { operation } from "./operation.ts";

export const getPricing = operation("getPricing", async (_input, { products }) => {
  const catalog = await products.list();
  return toApiPricing(catalog.map(({ product }) => product).filter(({ enabled }) => enabled));
});

import { levelProgressOf } from "../../accounts/level.ts";
import { toApiLevel } from "./convert-account.ts";
import { toApiProducts } from "./convert-catalog.ts";
import { operation } from "./operation.ts";

export const listProducts = operation("listProducts", async ({ principal }, { accounts, products }) => {
  const progress = levelProgressOf((await accounts.get(principal.accountId)).scoreMicrocents);
  return { level: toApiLevel(progress), products: toApiProducts(await products.offers(progress.level)) };
});

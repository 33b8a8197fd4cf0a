import { standingOf } from "../../accounts/level.ts";
import { toApiLevel } from "./convert-account.ts";
import { toApiProducts } from "./convert-catalog.ts";
import { operation } from "./operation.ts";

export const listProducts = operation("listProducts", async ({ caller }, { accounts, products }) => {
  const standing = standingOf((await accounts.get(caller.accountId)).scoreMicrocents);
  return { level: toApiLevel(standing), products: toApiProducts(await products.offers(standing.level)) };
});

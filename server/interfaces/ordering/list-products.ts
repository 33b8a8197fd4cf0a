import { standingOf } from "../../accounts/level.ts";
import { operation } from "../../http/operation.ts";
import { toApiLevel } from "./convert-account.ts";
import { toApiProducts } from "./convert-catalog.ts";

export const listProducts = operation("listProducts", async ({ caller }, { accounts, products }) => {
  const standing = standingOf((await accounts.get(caller.accountId)).scoreMicrocents);
  return { level: toApiLevel(standing), products: toApiProducts(await products.offers(standing.level)) };
});

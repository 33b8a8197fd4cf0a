import { toApiLevel } from "../accounts/convert.ts";
import { standingOf } from "../accounts/level.ts";
import { operation } from "../http/operation.ts";
import { toApiProduct } from "./convert.ts";

export const listProducts = operation("listProducts", async ({ caller }, { accounts, products }) => {
  const standing = standingOf((await accounts.get(caller.accountId)).scoreMicrocents);
  const offers = await products.offers(standing.level);
  return { level: toApiLevel(standing), products: offers.map(toApiProduct) };
});

import { levelOf } from "../../accounts/level.ts";
import { withDefault } from "../../http/operation.ts";
import { toApiAvailability } from "./convert-catalog.ts";
import { operation } from "./operation.ts";

export const checkAvailability = operation(
  "checkAvailability",
  async ({ principal, path, query }, { accounts, products, clock }) => {
    const { scoreMicrocents } = await accounts.get(principal.accountId);
    const qty = withDefault(query.qty);
    const offer = await products.offer(path.id, levelOf(scoreMicrocents), qty);
    return toApiAvailability(offer, qty, clock());
  },
);

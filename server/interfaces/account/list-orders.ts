import { withDefault } from "../../http/operation.ts";
import { toPeriod } from "../convert-time.ts";
import { toApiOrderList } from "./convert-order.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const listOrders = operation(
  "listOrders",
  async ({ path, query, principal: { signedIn } }, { orders }) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    const { limit, cursor, externalOrderId, from, to } = query;
    const request = { limit: withDefault(limit), cursor, externalOrderId, ...toPeriod({ from, to }) };
    return toApiOrderList(await orders.page(accountId, request));
  },
);

import { toApiOrder } from "./convert-order.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const getOrder = operation("getOrder", async ({ path, principal: { signedIn } }, { orders }) => {
  const { accountId } = membershipOf(signedIn.memberships, path.accountId);
  return toApiOrder(await orders.find(accountId, path.orderId));
});

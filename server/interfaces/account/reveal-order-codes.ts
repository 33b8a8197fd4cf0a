import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const revealOrderCodes = operation(
  "revealOrderCodes",
  async ({ path, principal }, { people, orders }) => {
    const { accountId } = membershipOf(principal.signedIn.memberships, path.accountId);
    people.sessions.requireRecentFactor(principal.signedIn);
    const { orderId, codes, redeemUrl } = await orders.showCodes(accountId, path.orderId, actorOf(principal));
    return { orderId, codes: [...codes], redeemUrl };
  },
);

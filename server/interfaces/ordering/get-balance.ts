import { toApiBalance } from "./convert-account.ts";
import { operation } from "./operation.ts";

export const getBalance = operation("getBalance", async ({ principal }, { accounts }) =>
  toApiBalance(await accounts.get(principal.accountId)),
);

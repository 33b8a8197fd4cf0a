import { toApiBalance } from "./convert-account.ts";
import { operation } from "./operation.ts";

export const getBalance = operation("getBalance", async ({ caller }, { accounts }) =>
  toApiBalance(await accounts.get(caller.accountId)),
);

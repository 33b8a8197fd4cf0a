import { operation } from "../../http/operation.ts";
import { toApiBalance } from "./convert-account.ts";

export const getBalance = operation("getBalance", async ({ caller }, { accounts }) =>
  toApiBalance(await accounts.get(caller.accountId)),
);

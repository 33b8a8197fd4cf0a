import { operation } from "../../http/operation.ts";
import { toApiAccountResource } from "../ordering/convert-account.ts";

export const getAccount = operation("getAccount", async ({ caller }, { accounts, keys }) => {
  const [account, key] = await Promise.all([accounts.get(caller.accountId), keys.get(caller.keyId)]);
  return toApiAccountResource(account, key);
});

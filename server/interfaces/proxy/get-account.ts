import { toApiAccountResource } from "./convert-account.ts";
import { operation } from "./operation.ts";

export const getAccount = operation("getAccount", async ({ caller }, { accounts, keys }) => {
  const [account, key] = await Promise.all([accounts.get(caller.accountId), keys.get(caller.keyId)]);
  return toApiAccountResource(account, key);
});

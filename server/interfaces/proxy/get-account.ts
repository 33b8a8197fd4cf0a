import { toApiAccountResource } from "./convert-account.ts";
import { operation } from "./operation.ts";

export const getAccount = operation("getAccount", async ({ principal }, { accounts, keys }) => {
  const [account, key] = await Promise.all([accounts.get(principal.accountId), keys.get(principal.keyId)]);
  return toApiAccountResource(account, key);
});

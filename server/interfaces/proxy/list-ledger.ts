import { withDefault } from "../../http/operation.ts";
import { toApiLedger } from "./convert-ledger.ts";
import { operation } from "./operation.ts";

export const listLedger = operation("listLedger", async ({ principal, query }, { ledger }) =>
  toApiLedger(await ledger.list(principal.accountId, withDefault(query.limit))),
);

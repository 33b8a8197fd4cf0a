import { withDefault } from "../../http/operation.ts";
import { toApiLedger } from "./convert-ledger.ts";
import { operation } from "./operation.ts";

export const listLedger = operation("listLedger", async ({ caller, query }, { ledger }) =>
  toApiLedger(await ledger.list(caller.accountId, withDefault(query.limit))),
);

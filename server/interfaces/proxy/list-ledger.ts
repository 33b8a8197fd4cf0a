import { operation, withDefault } from "../../http/operation.ts";
import { toApiLedger } from "./convert-ledger.ts";

export const listLedger = operation("listLedger", async ({ caller, query }, { ledger }) =>
  toApiLedger(await ledger.list(caller.accountId, withDefault(query.limit))),
);

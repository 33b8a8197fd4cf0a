import type { operations } from "../../generated/proxy/types.ts";
import { getAccount } from "../accounts/get-account.ts";
import { listUsage } from "../calls/list-usage.ts";
import { listLedger } from "../ledger/list-ledger.ts";
import { countTokens } from "../messages/count-tokens.ts";
import { createMessage } from "../messages/create-message.ts";
import { listModels } from "../models/list-models.ts";
import type { OperationHandlers } from "./operation.ts";
import type { RawHandler } from "./raw-operation.ts";

type ForwardedOperation = "createMessage" | "countTokens";

/** The handlers of the operations of the AI proxy that answer with a JSON value of ours. */
export const PROXY_HANDLERS: OperationHandlers<Omit<operations, ForwardedOperation>> = {
  listModels,
  getAccount,
  listUsage,
  listLedger,
};

/** The handlers of those that pass the upstream's answer on. */
export const PROXY_RAW_HANDLERS: { readonly [Id in ForwardedOperation]: RawHandler } = {
  createMessage,
  countTokens,
};

import type { operations } from "../../../generated/proxy/types.ts";
import type { OperationHandlers } from "../../http/operation.ts";
import type { RawHandler } from "../../http/raw-operation.ts";
import { countTokens } from "./count-tokens.ts";
import { createMessage } from "./create-message.ts";
import { getAccount } from "./get-account.ts";
import { listLedger } from "./list-ledger.ts";
import { listModels } from "./list-models.ts";
import { listUsage } from "./list-usage.ts";

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

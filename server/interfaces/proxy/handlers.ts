import type { operations } from "../../../generated/proxy/types.ts";
import type { OperationHandlers } from "../../http/operation.ts";
import { countTokens } from "./count-tokens.ts";
import { createMessage } from "./create-message.ts";
import { getAccount } from "./get-account.ts";
import { getModel } from "./get-model.ts";
import { listLedger } from "./list-ledger.ts";
import { listModels } from "./list-models.ts";
import { listUsage } from "./list-usage.ts";
import type { ProxyServices } from "./services.ts";

/** The handler of every operation of the AI proxy. */
export const PROXY_HANDLERS: OperationHandlers<operations, ProxyServices> = {
  createMessage,
  countTokens,
  listModels,
  getModel,
  getAccount,
  listUsage,
  listLedger,
};

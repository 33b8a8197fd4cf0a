import { withDefault } from "../../http/operation.ts";
import { toApiUsageList } from "./convert-usage.ts";
import { operation } from "./operation.ts";

export const listUsage = operation("listUsage", async ({ caller, query }, { calls }) =>
  toApiUsageList(await calls.list(caller.accountId, withDefault(query.limit))),
);

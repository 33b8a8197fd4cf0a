import { withDefault } from "../../http/operation.ts";
import { toApiUsageList } from "./convert-usage.ts";
import { operation } from "./operation.ts";

export const listUsage = operation("listUsage", async ({ principal, query }, { calls }) =>
  toApiUsageList(await calls.list(principal.accountId, withDefault(query.limit))),
);

import { toApiTable } from "./convert-entry.ts";
import { operation } from "./operation.ts";

export const exportEntries = operation("exportEntries", async (_input, { entries }) =>
  toApiTable(entries.values()),
);

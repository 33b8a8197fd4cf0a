import { withDefault } from "../../http/operation.ts";
import { toApiEntry } from "./convert-entry.ts";
import { operation } from "./operation.ts";

export const listEntries = operation("listEntries", async ({ query }, { entries }) => {
  const newestFirst = [...entries.values()].reverse();
  return { entries: newestFirst.slice(0, withDefault(query.limit)).map(toApiEntry) };
});

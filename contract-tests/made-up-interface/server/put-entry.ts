import { toApiEntry, toEntry } from "./convert-entry.ts";
import { operation } from "./operation.ts";

export const putEntry = operation("putEntry", async ({ path: { id }, body }, { entries }, answer) => {
  const isNew = !entries.has(id);
  const entry = toEntry(id, body);
  entries.set(id, entry);
  return answer(isNew ? 201 : 200, toApiEntry(entry));
});

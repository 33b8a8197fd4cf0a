import type { components } from "../../../generated/guestbook/types.ts";
import type { Entry } from "./entry.ts";

type Schemas = components["schemas"];

export function toEntry(id: string, { name, text, stars }: Schemas["EntryText"]): Entry {
  return { id, name, text, stars: stars ?? null };
}

export function toApiEntry({ id, name, text, stars }: Entry): Schemas["Entry"] {
  return { id, name, text, ...(stars !== null && { stars }) };
}

/** The entries as a table, line by line. */
export async function* toApiTable(entries: Iterable<Entry>): AsyncGenerator<string> {
  yield "id,name,text,stars\n";
  for (const { id, name, text, stars } of entries) yield `${id},${cell(name)},${cell(text)},${stars ?? ""}\n`;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

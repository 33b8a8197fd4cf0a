/** HTML that is ready to be sent: made by {@link html}, or by what makes HTML itself. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Part[];

/** Says that a text is HTML as it is. */
export function raw(text: string): Html {
  return { html: text };
}

/** A template of HTML: whatever is put in is escaped, except what is HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return raw(strings.map((text, index) => text + toHtml(parts[index] ?? "")).join(""));
}

function toHtml(part: Part): string {
  if (isList(part)) return part.map(toHtml).join("");
  return typeof part === "object" ? part.html : escapeHtml(String(part));
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part);
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };
  return text.replaceAll(/[&<>"']/g, (character) => `&${names[character]};`);
}

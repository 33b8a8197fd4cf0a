import { type Html, html, raw } from "./html.ts";

/**
 * The Markdown that our descriptions and the changelog are written in, as HTML: paragraphs, headings, lists, tables, code,
 * bold text and links. A link that leads into the project's own files becomes its text, for its readers do not have them.
 */
export function markdown(text: string): Html {
  return raw(blocksOf(text).map(blockToHtml).join("\n"));
}

/** The marks within a line. */
export function inlineMarkdown(text: string): Html {
  // What stands in code is no other mark, and other marks may have code in them: it is kept apart until they are made.
  const codes: string[] = [];
  const withoutCode = text.replaceAll(/`[^`]+`/g, (part) => `\uE000${codes.push(part) - 1}\uE000`);
  return raw(marks(withoutCode).replaceAll(/\uE000(\d+)\uE000/g, (_, index) => code(codes[index] ?? "")));
}

/** The tables of a Markdown text: its header, and its rows by the header's cells. */
export function tablesIn(text: string): { header: string[]; rows: string[][] }[] {
  return blocksOf(text).filter(isTable).map(readTable);
}

function code(part: string): string {
  return html`<code>${part.slice(1, -1)}</code>`.html;
}

function marks(text: string): string {
  return html`${text}`.html
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, target: string) =>
      /^(?:https:\/\/|#)/.test(target) ? `<a href="${target}">${label}</a>` : label,
    );
}

function blocksOf(text: string): string[][] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => block.split("\n"));
}

function isTable(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.every((line) => /^\s*\|.*\|\s*$/.test(line));
}

function readTable(lines: readonly string[]): { header: string[]; rows: string[][] } {
  const [header = [], , ...rows] = lines.map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
  return { header, rows };
}

function blockToHtml(lines: readonly string[]): string {
  const [first = ""] = lines;
  const heading = /^(#{1,6}) (.*)/.exec(first);
  if (heading) return html`<h4>${inlineMarkdown(heading[2] ?? "")}</h4>`.html + rest(lines.slice(1));
  if (isTable(lines)) return tableToHtml(readTable(lines)).html;
  if (/^- /.test(first)) return listToHtml("ul", lines, /^- /);
  if (/^\d+\. /.test(first)) return listToHtml("ol", lines, /^\d+\. /);
  return html`<p>${inlineMarkdown(lines.map((line) => line.trim()).join(" "))}</p>`.html;
}

function rest(lines: readonly string[]): string {
  return lines.length === 0 ? "" : blockToHtml(lines);
}

/** A line that does not begin an item goes on with the last one. */
function listToHtml(tag: "ul" | "ol", lines: readonly string[], mark: RegExp): string {
  const items: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return `<${tag}>${items.map((item) => html`<li>${inlineMarkdown(item)}</li>`.html).join("")}</${tag}>`;
}

/** Cells know the names of their columns, for screens on which rows stand by themselves. */
export function tableToHtml({ header, rows }: { header: string[]; rows: string[][] }): Html {
  const cells = (row: readonly string[]) =>
    row.map((cell, index) => html`<td data-label="${header[index] ?? ""}">${inlineMarkdown(cell)}</td>`);
  return html`<table><thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

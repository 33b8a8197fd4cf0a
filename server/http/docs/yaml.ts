/** A JSON value as YAML 1.2 (and 1.1): blocks for people, and quotes wherever a plain text could mean something else. */
export function toYaml(value: unknown): string {
  return isNested(value) ? `${block(value, "")}\n` : `${inline(value)}\n`;
}

/** Text that is a text in every version of YAML without quotes; words such as `yes` and `null` are left out below. */
const PLAIN = /^[A-Za-z/$][A-Za-z0-9_./$-]*(?: [A-Za-z0-9_./$()-]+)*$/;
const WORD_OF_YAML = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

type Nested = readonly unknown[] | Readonly<Record<string, unknown>>;

function isNested(value: unknown): value is Nested {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function block(value: Nested, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${itemOf(item, indent)}`).join("\n");
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${indent}${scalar(name)}:${fieldOf(field, indent)}`)
    .join("\n");
}

/** What follows a dash: the first line of a block begins beside it. */
function itemOf(value: unknown, indent: string): string {
  const deeper = `${indent}  `;
  return isNested(value) ? block(value, deeper).slice(deeper.length) : inline(value);
}

function fieldOf(value: unknown, indent: string): string {
  const deeper = `${indent}  `;
  if (isNested(value)) return `\n${block(value, deeper)}`;
  return ` ${typeof value === "string" && isLines(value) ? lines(value, deeper) : inline(value)}`;
}

function inline(value: unknown): string {
  return typeof value === "string" ? scalar(value) : JSON.stringify(value);
}

function scalar(text: string): string {
  return PLAIN.test(text) && !WORD_OF_YAML.test(text) ? text : JSON.stringify(text);
}

/** Whether a literal block gives the text back as it is; the first line must not begin with what counts as indentation. */
function isLines(text: string): boolean {
  return /^[^\s][^\n]*\n/.test(text) && !/[^\n\x20-\x7e\u00a1-\ud7ff]|\ufeff| \n/.test(text);
}

function lines(text: string, indent: string): string {
  const body = text.replace(/\n+$/, "");
  const lineEnds = text.length - body.length;
  // How many line ends the text has after its last line: none, the usual one, or all that stand here.
  const chomping = ["-", ""][lineEnds] ?? "+";
  const indented = body.split("\n").map((line) => (line === "" ? "" : indent + line));
  return `|${chomping}\n${indented.join("\n")}${"\n".repeat(Math.max(0, lineEnds - 1))}`;
}

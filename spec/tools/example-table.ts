import { follow, type Json } from "./follow.ts";

/** The names of all examples of a bundled document as a table of Markdown: for each operation its statuses and their examples. */
export function exampleTable(document: Json): string {
  const rows = Object.values<Json>(document.paths)
    .flatMap((item) => Object.values<Json>(item))
    .filter(({ operationId }) => operationId !== undefined)
    .map(({ operationId, responses }) => {
      const answers = Object.entries<Json>(responses).map(([status, response]) => {
        const names = namesIn(follow(document, response)).map((name) => `\`${name}\``);
        return [status, names.join(", ")].filter(Boolean).join(" ");
      });
      return `| \`${operationId}\` | ${answers.join("; ")} |\n`;
    });
  return `| Operation | Status and examples |\n|---|---|\n${rows.join("")}`;
}

function namesIn({ content = {} }: Json): string[] {
  return Object.values<Json>(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

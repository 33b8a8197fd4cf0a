// Follows every link of the project's Markdown files to another file or heading of the project.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** A link of a Markdown file, where it stands. */
interface Link {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

function linksOf(file: string): Link[] {
  return withoutCode(readFileSync(join(root, file), "utf8"))
    .split("\n")
    .flatMap((text, index) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ file, line: index + 1, target })),
    );
}

/** @returns what is wrong with it, or null. */
function faultOf({ file, target }: Link): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  const [path = "", anchor] = target.split("#");
  const found = path === "" ? join(root, file) : resolve(root, dirname(file), decodeURI(path));
  if (relative(root, found).startsWith("..")) return "it leads out of the project";
  if (!existsSync(found)) return "there is no such file";
  if (anchor === undefined || statSync(found).isDirectory() || !found.endsWith(".md")) return null;
  return anchorsOf(readFileSync(found, "utf8")).has(anchor) ? null : "the file has no such heading";
}

/** The anchors that a web view of the repository gives to headings: one that stands there again gets a number. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(markdown, "blocks").matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const words = heading.replaceAll(/\]\([^)]*\)/g, "").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
    let distinct = anchor;
    for (let count = 1; anchors.has(distinct); count++) distinct = `${anchor}-${count}`;
    anchors.add(distinct);
  }
  return anchors;
}

/** Blanks code out, so that lines keep their numbers. What looks like a link or a heading in it is none. */
function withoutCode(markdown: string, what: "blocks" | "all" = "all"): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, "");
  const text = markdown.replaceAll(/^( *)```[^\n]*\n.*?^\1```$/gms, blank);
  return what === "all" ? text.replaceAll(/`[^`\n]+`/g, blank) : text;
}

const files = globSync("**/*.md", {
  cwd: root,
  exclude: (name) => name.includes("node_modules") || /(^|\/)\.(git|data|docs)$/.test(name),
});
const faults = files
  .sort()
  .flatMap(linksOf)
  .flatMap((link) => {
    const fault = faultOf(link);
    return fault === null ? [] : `${link.file}:${link.line}  ${link.target}: ${fault}`;
  });
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
}

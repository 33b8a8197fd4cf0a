// `npm run docs`: renders the documentation of all interfaces into .docs/, which the service shows at /docs.
import { globSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { renderDocumentation, renderDocumentationIndex, sealPage } from "../spec/tools/documentation.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";
import { specFolder } from "../spec/tools/redocly.ts";

const help = `Renders the documentation of all interfaces into static HTML, which the service shows at /docs.

  npm run docs -- [--output FOLDER] [--if-changed]

  --output FOLDER   .docs unless told; its pages can be opened and hosted anywhere, without internet
  --if-changed      does nothing when spec/ has not changed since the last time`;

const { values } = parseArgs({
  options: {
    output: { type: "string", default: resolve(import.meta.dirname, "../.docs") },
    "if-changed": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(help);
else if (!values["if-changed"] || isOutdated(values.output)) await writeDocumentation(values.output);

async function writeDocumentation(folder: string): Promise<void> {
  try {
    const names = interfaceNames();
    const pages = await Promise.all(names.map(renderDocumentation));
    mkdirSync(folder, { recursive: true });
    for (const [index, name] of names.entries()) writePage(folder, name, pages[index] ?? "");
    writePage(folder, "index", await renderDocumentationIndex());
    console.log(`Documentation: ${join(folder, "index.html")}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** A browser that loads a page meanwhile gets the old one or the new one. */
function writePage(folder: string, name: string, html: string): void {
  const unfinished = join(folder, `.${name}.${process.pid}`);
  try {
    writeFileSync(unfinished, sealPage(html));
    renameSync(unfinished, join(folder, `${name}.html`));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** The index is written last. */
function isOutdated(folder: string): boolean {
  const written = changedAtMs(join(folder, "index.html"));
  const sources = globSync("**/*", { cwd: specFolder }).map((file) => join(specFolder, file));
  return [...sources, import.meta.filename].some((file) => changedAtMs(file) > written);
}

function changedAtMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

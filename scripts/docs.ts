// `npm run docs`: renders the documentation of all interfaces into .docs/. The service shows the reference pages at /docs,
// and makes the guide itself, with its own address in it.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CONTRACT_FILES, contractFile } from "../server/http/docs/contract-files.ts";
import { guidePage } from "../server/http/docs/guide.ts";
import { readReferenceScript, renderReference, sealPage } from "../spec/tools/documentation.ts";
import { downConvert } from "../spec/tools/generate.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";

const help = `Renders the documentation of all interfaces into static files, of which the service shows the reference pages at /docs.

  npm run docs -- [--output FOLDER] [--if-changed]

  --output FOLDER   .docs unless told; its pages can be opened and hosted anywhere, without internet
  --if-changed      does nothing when spec/ has not changed since the last time`;

const root = resolve(import.meta.dirname, "..");
const changelog = join(root, "CHANGELOG.md");
const { values } = parseArgs({
  options: {
    output: { type: "string", default: join(root, ".docs") },
    "if-changed": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(help);
else if (!values["if-changed"] || isOutdated(values.output)) await writeDocumentation(values.output);

async function writeDocumentation(folder: string): Promise<void> {
  try {
    const script = await readReferenceScript();
    const references = await Promise.all(
      interfaceNames().map(async (name) => ({ name, ...(await renderReference(name, script)) })),
    );
    removeOldScripts(folder, script.file);
    write(folder, script.file, script.text);
    for (const { name, html, document } of references) {
      write(folder, `${name}.html`, sealPage(html));
      const contract = { name, document, document30: downConvert(structuredClone(document)) };
      for (const file of CONTRACT_FILES)
        write(folder, `${name}/${file}`, contractFile(contract, file)?.withoutAddress ?? "");
    }
    const source = {
      contracts: references,
      changelog: readFileSync(changelog, "utf8"),
      references: new Set(references.map(({ name }) => name)),
    };
    write(folder, "index.html", sealPage(guidePage(source, { isAddressKnown: false })));
    console.log(`Documentation: ${join(folder, "index.html")}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** A browser that loads a file meanwhile gets the old one or the new one. */
function write(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Those of other versions, which no page names any longer. */
function removeOldScripts(folder: string, current: string): void {
  for (const file of globSync("redoc-*.js", { cwd: folder }))
    if (file !== current) rmSync(join(folder, file));
}

/** The index is written last. */
function isOutdated(folder: string): boolean {
  const written = changedAtMs(join(folder, "index.html"));
  const made = ["spec/**/*", "server/http/docs/*", "server/http/service-address.ts"].flatMap((files) =>
    globSync(files, { cwd: root }),
  );
  const sources = [...made.map((file) => join(root, file)), changelog, import.meta.filename];
  return sources.some((file) => changedAtMs(file) > written);
}

function changedAtMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

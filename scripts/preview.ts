// `npm run preview`: the documentation of spec/ as it is now; open pages reload while spec/ is edited.
import { globSync, readFileSync, watch } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CONTRACT_FILES, contractFile } from "../server/http/docs/contract-files.ts";
import { guidePage } from "../server/http/docs/guide.ts";
import {
  type Reference,
  type ReferenceScript,
  readReferenceScript,
  renderReference,
} from "../spec/tools/documentation.ts";
import { downConvert } from "../spec/tools/generate.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";
import { describeProblem, findProblems } from "../spec/tools/lint.ts";
import { specFolder } from "../spec/tools/redocly.ts";

const help = `Serves the documentation of all interfaces, and reloads open pages while spec/ is edited.

  npm run preview -- [--port 4020]`;

const host = "127.0.0.1";
/** Editors write a file in several steps, and save several files at once. */
const DEBOUNCE_MS = 150;

/** Lets a page ask whether it is still the newest, and load nothing from other hosts. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'";
const RELOADING = `<script>new EventSource("/changes").addEventListener("change", () => location.reload())</script>`;
const NOTE_STYLE =
  "position:fixed;inset:auto 0 0;z-index:9999;max-height:40vh;overflow:auto;margin:0;padding:1rem;background:#fff3cd;color:#333;white-space:pre-wrap";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".yaml": "application/yaml",
};

const changelog = resolve(import.meta.dirname, "../CHANGELOG.md");

/** By their paths. */
let files: ReadonlyMap<string, string> = new Map();
const readers = new Set<ServerResponse>();
/** By the names of their interfaces, with all that they were rendered from. */
const references = new Map<string, { readonly source: string; readonly reference: Reference }>();

try {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "4020" }, help: { type: "boolean", default: false } },
  });
  if (values.help) console.log(help);
  else await preview(Number(values.port));
} catch (error) {
  console.error(`The preview cannot start: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function preview(port: number): Promise<void> {
  await render();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", `http://${host}`).pathname;
    if (path === "/changes") return keepTelling(response);
    const file = path === "/" ? "/index.html" : path;
    const text = files.get(file);
    const mediaType = MEDIA_TYPES[text === undefined ? ".html" : extname(file)];
    response.writeHead(text === undefined ? 404 : 200, {
      "Content-Type": `${mediaType}; charset=utf-8`,
      "Content-Security-Policy": POLICY,
    });
    response.end(text ?? "There is no such page.");
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const watcher = watch(specFolder, { recursive: true }, renderSoon());
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      watcher.close();
      server.close().closeAllConnections();
    });
  }
  const { port: taken } = server.address() as AddressInfo;
  console.log(`The preview is at http://${host}:${taken}/ and follows spec/. Ctrl-C stops it.`);
}

/** Renders once what has changed in the meantime, and again what changes while it does. */
function renderSoon(): () => void {
  let timer: NodeJS.Timeout | undefined;
  let rendering = Promise.resolve();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      rendering = rendering.then(render).then(() => {
        for (const reader of readers) reader.write("event: change\ndata: now\n\n");
      });
    }, DEBOUNCE_MS);
  };
}

/** Renders all pages; an interface that cannot be rendered is shown as what is wrong with spec/. */
async function render(): Promise<void> {
  const problems = await findProblems().then(
    (found) => found.map(describeProblem),
    (error: Error) => [error.message],
  );
  const list = problems.join("\n\n");
  console.log(`${new Date().toLocaleTimeString()}  ${list || "spec/ keeps all rules."}`);
  const script = await readReferenceScript();
  const rendered = await Promise.all(
    interfaceNames().map(async (name) => {
      const told = (error: Error) => ({ html: faultPage(list || error.message), document: null });
      return { name, ...(await referenceOf(name, script).catch(told)) };
    }),
  );
  const contracts = rendered.flatMap(({ name, document }) =>
    document === null ? [] : [{ name, document, document30: downConvert(structuredClone(document)) }],
  );
  const source = {
    contracts,
    changelog: readFileSync(changelog, "utf8"),
    references: new Set(contracts.map(({ name }) => name)),
  };
  const guide = guidePage(source, { isAddressKnown: false });
  files = new Map([
    [`/${script.file}`, script.text],
    ["/index.html", withReloading(guide, list)],
    ...rendered.map(({ name, html }): [string, string] => [`/${name}.html`, withReloading(html, list)]),
    ...contracts.flatMap((contract) =>
      CONTRACT_FILES.map((file): [string, string] => [
        `/${contract.name}/${file}`,
        contractFile(contract, file)?.withoutAddress ?? "",
      ]),
    ),
  ]);
}

/** The reference of an interface, which is rendered anew only when its part of spec/ has changed. */
async function referenceOf(name: string, script: ReferenceScript): Promise<Reference> {
  const sources = globSync([`${name}/**/*`, "*.*"], { cwd: specFolder, withFileTypes: true });
  const source = sources
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\0");
  const known = references.get(name);
  if (known?.source === source) return known.reference;
  const reference = await renderReference(name, script);
  references.set(name, { source, reference });
  return reference;
}

function faultPage(text: string): string {
  return `<!DOCTYPE html>\n<html lang="en"><head><title>spec/ cannot be read</title></head><body><pre>${escapeHtml(text)}</pre></body></html>`;
}

/** Adds what a page needs to reload, and a note where spec/ has problems. */
function withReloading(html: string, problems: string): string {
  const note = problems ? `<pre style="${NOTE_STYLE}">${escapeHtml(problems)}</pre>` : "";
  return html.replace(/<\/body>\s*<\/html>\s*$/, () => `${note}${RELOADING}</body></html>`);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function keepTelling(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.flushHeaders();
  readers.add(response);
  response.once("close", () => readers.delete(response));
}

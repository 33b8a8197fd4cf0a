import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Json } from "./follow.ts";
import { openAnswers } from "./publish.ts";
import { redocly } from "./redocly.ts";

/** The reference of one interface. */
export interface Reference {
  /** A page that needs nothing but the {@link ReferenceScript} beside it. */
  readonly html: string;
  /** The bundled document that it shows, as it is published. */
  readonly document: Json;
}

/** The program of all reference pages, a classic script, so that pages also work when they are opened as files. */
export interface ReferenceScript {
  /** Another name for other content, so that it can be kept for ever. */
  readonly file: string;
  readonly text: string;
}

const SCRIPT_FROM_ELSEWHERE = /^\s*import \{ hydrate \} from "https:[^"]+";$/m;
const PRELOAD_FROM_ELSEWHERE = /<link rel="modulepreload" [^>]*>/;
const EXPORT = /export\{RedocStandalone,hydrate,init\};\s*$/;
/** That an operation is shown at its tag and its operationId, in lower case; {@link DescribedOperation.placeInReference}. */
const PLACE_OF_OPERATION = /slug:\w+\(\w+\(\w+,\(\(\w+\.operationId\?.{0,200}?\)\.toLowerCase\(\)\)\)/;
/** Where the page begins to show its document. */
const SHOW = "hydrate(__redoc_definition,";
const DOCUMENT = /const __redoc_definition = (\{.*\});$/m;

/** Renders the reference of an interface. @throws when spec/ is not readable. */
export async function renderReference(name: string, script: ReferenceScript): Promise<Reference> {
  const rendered = await build(name);
  const document = DOCUMENT.exec(rendered)?.[1];
  if (document === undefined || !SCRIPT_FROM_ELSEWHERE.test(rendered) || !rendered.includes(SHOW))
    throw new Error("Redocly's pages have another form than spec/tools/documentation.ts knows.");
  const html = rendered
    .replace(SCRIPT_FROM_ELSEWHERE, "")
    .replace(PRELOAD_FROM_ELSEWHERE, "")
    .replace(SHOW, "hydrate(withService(__redoc_definition),")
    .replace('src="redoc.js"', `src="${script.file}"`)
    // The page would ask its maker's host for a logo; where it gets none, it shows none.
    .replaceAll("https://cdn.redoc.ly/", "data:,");
  return { html, document: openAnswers(JSON.parse(document)) };
}

/** The page as Redocly makes it, which takes its program from its maker's host. */
async function build(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-documentation-"));
  try {
    const page = join(folder, "page.html");
    const { ok, messages } = await redocly(
      "build-docs",
      `${name}/openapi.yaml`,
      `--output=${page}`,
      `--template=${join(import.meta.dirname, "documentation-page.hbs")}`,
      "--openapi.disableTelemetry",
      "--openapi.hideDownloadButtons",
    );
    if (!ok) throw new Error(`spec/${name} cannot be rendered:\n${messages}`);
    return await readFile(page, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the program of the pages out of Redocly's package, which has it as a module. */
export async function readReferenceScript(): Promise<ReferenceScript> {
  const cli = dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
  const module = await readFile(join(cli, "lib/chunks/redoc.standalone.js"), "utf8");
  if (!EXPORT.test(module) || !PLACE_OF_OPERATION.test(module))
    throw new Error("Redoc has another form than spec/tools/documentation.ts knows.");
  const text = module
    .replace(EXPORT, "")
    .replaceAll("import.meta", () => "({url:document.baseURI})")
    .replaceAll("https://cdn.redoc.ly/", "data:,");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { file: `redoc-${hash}.js`, text };
}

/** Lets a page run its own scripts and nothing else, and load nothing from anywhere else. */
export function sealPage(html: string): string {
  const inline = [...html.matchAll(/<script\b(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)];
  const hashes = inline.map(([, script = ""]) => {
    const hash = createHash("sha256").update(script).digest("base64");
    return `'sha256-${hash}'`;
  });
  const scripts = /<script\b[^>]*\ssrc=/.test(html) ? ["'self'", ...hashes] : hashes;
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    "<head>",
    () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

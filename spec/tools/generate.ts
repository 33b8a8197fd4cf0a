import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Converter } from "@apiture/openapi-down-convert";
import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";
import { errorTable } from "./error-table.ts";
import { exampleTable } from "./example-table.ts";
import { interfaceNames } from "./interface-names.ts";
import { redocly } from "./redocly.ts";

type Json = Record<string, unknown>;
type Document = OpenAPI3 & Json;
type Secured = { security?: Record<string, string[]>[] };

/**
 * Writes `<name>/openapi.json`, `<name>/openapi-3.0.json`, `<name>/types.ts`, `<name>/errors.ts` (the statuses of the error
 * codes) and `<name>/examples.md` (their names) into `outputFolder` for every interface of spec/. The same spec always gives
 * the same bytes.
 * @throws before anything is written, when one of them cannot be generated.
 */
export async function generate(outputFolder: string): Promise<void> {
  const files = (await Promise.all(interfaceNames().map(filesOf))).flat();
  await Promise.all(
    files.map(async ({ path, text }) => {
      const file = join(outputFolder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }),
  );
}

interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

async function filesOf(name: string): Promise<GeneratedFile[]> {
  const banner = `Generated from spec/${name} by "npm run generate". DO NOT EDIT.`;
  const document = await bundle(name, banner);
  const texts = {
    "openapi.json": toText(document),
    "openapi-3.0.json": toText(downConvert(document)),
    "types.ts": `// ${banner}\n\n${await typesOf(document)}`,
    "errors.ts": `// ${banner}\n\n${errorsOf(name, document)}`,
    "examples.md": `<!-- ${banner} -->\n\n${exampleTable(document)}`,
  };
  return Object.entries(texts).map(([file, text]) => ({ path: join(name, file), text }));
}

function errorsOf(name: string, document: Document): string {
  try {
    return errorTable(document);
  } catch (error) {
    throw new Error(`spec/${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The types of a bundled document, as text. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  return astToString(await openapiTypes(document, { defaultNonNullable: false, silent: true }));
}

/** One document with all parts of the interface under `components`, each group sorted by name. */
export async function bundle(name: string, banner: string): Promise<Document> {
  const { ok, output, messages } = await redocly("bundle", `${name}/openapi.yaml`, "--ext", "json");
  if (!ok) throw new Error(`spec/${name} cannot be bundled:\n${messages}`);
  const { openapi, components, ...rest } = JSON.parse(output);
  const groups = Object.entries<Json>(components).map(([group, parts]) => [group, sortKeys(parts)]);
  return { openapi, "x-generated": banner, ...rest, components: Object.fromEntries(groups) };
}

/** The nearest OpenAPI 3.0 document, for tools that cannot read 3.1. It is less strict than the original. */
export function downConvert(document: Document): Json {
  const converted = new Converter(document).convert() as Document;
  const operations = Object.values(converted.paths ?? {}).flatMap((path) =>
    Object.values(path as Record<string, Secured>),
  );
  for (const { security = [] } of [converted as Secured, ...operations]) {
    // OpenAPI 3.0 knows scopes only for OAuth 2 and OpenID Connect; ours is a bearer key.
    for (const requirement of security) for (const scheme in requirement) requirement[scheme] = [];
  }
  return converted;
}

function sortKeys(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toText(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

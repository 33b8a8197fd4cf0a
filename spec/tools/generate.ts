import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Converter } from "@apiture/openapi-down-convert";
import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";
import { errorTable } from "./error-table.ts";
import { exampleTable } from "./example-table.ts";
import { interfaceNames } from "./interface-names.ts";
import { nullsAsIn30, openAnswers } from "./publish.ts";
import { readObjects, redocly } from "./redocly.ts";

type Json = Record<string, unknown>;
type Document = OpenAPI3 & Json;
type Secured = { security?: Record<string, string[]>[] };

/**
 * Writes into `outputFolder`, for every interface of spec/: `<name>/openapi.json` and its 3.0 form `openapi-3.0.json`, which
 * are published; `openapi-strict.json`, by which the service and its tests judge answers; `types.ts`; `errors.ts` (the
 * statuses of the error codes); and `examples.md` (the names of examples). The same spec always gives the same bytes.
 * @throws before anything is written, when one of them cannot be generated.
 */
export async function generate(outputFolder: string): Promise<void> {
  const files = (await Promise.all([...(await bundle())].map(filesOf))).flat();
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

async function filesOf([name, bundled]: readonly [string, Document]): Promise<GeneratedFile[]> {
  const banner = `Generated from spec/${name} by "npm run generate". DO NOT EDIT.`;
  const document = { ...bundled, "x-generated": banner };
  const published = publish(name, document);
  const texts = {
    "openapi.json": toText(published),
    "openapi-3.0.json": toText(downConvert(published)),
    "openapi-strict.json": toText(document),
    "types.ts": `// ${banner}\n\n${await typesOf(document)}`,
    "errors.ts": `// ${banner}\n\n${errorsOf(name, document)}`,
    "examples.md": `<!-- ${banner} -->\n\n${exampleTable(document)}`,
  };
  return Object.entries(texts).map(([file, text]) => ({ path: join(name, file), text }));
}

function publish(name: string, document: Document): Document {
  return named(name, () => openAnswers(document));
}

function errorsOf(name: string, document: Document): string {
  return named(name, () => errorTable(document));
}

/** Says in every error of which interface it speaks. */
function named<Result>(name: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new Error(`spec/${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The documents of all interfaces as they are published, by name; see {@link bundle}. */
export async function bundlePublished(): Promise<ReadonlyMap<string, Document>> {
  return new Map([...(await bundle())].map(([name, document]) => [name, publish(name, document)]));
}

/** The types of a bundled document, as text. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  return astToString(await openapiTypes(document, { defaultNonNullable: false, silent: true }));
}

/**
 * One document for each interface, with all of its parts under `components`, each group sorted by name: the strict one, in
 * which answers have no other fields than those that it names.
 */
async function bundle(): Promise<ReadonlyMap<string, Document>> {
  const names = interfaceNames();
  const documents = names.map((name) => `${name}/openapi.yaml`);
  const { ok, output, messages } = await redocly("bundle", ...documents, "--ext", "json");
  if (!ok) throw new Error(`spec/ cannot be bundled:\n${messages}`);
  const bundled = readObjects(output);
  return new Map(names.map((name, index) => [name, withSortedParts(bundled[index] ?? "")]));
}

function withSortedParts(bundled: string): Document {
  const { openapi, components, ...rest } = JSON.parse(bundled);
  const groups = Object.entries<Json>(components).map(([group, parts]) => [group, sortKeys(parts)]);
  // What is generated says so at its beginning.
  return { openapi, "x-generated": "", ...rest, components: Object.fromEntries(groups) };
}

/** The nearest OpenAPI 3.0 document, for tools that cannot read 3.1. It is less strict than the original. */
export function downConvert(document: Document): Json {
  const converted = new Converter(nullsAsIn30(document)).convert() as Document;
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

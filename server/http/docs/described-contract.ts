import { basePathOf } from "../document.ts";
import { ADDRESS } from "./addressed-texts.ts";
import type { Contract } from "./contract-files.ts";
import { tablesIn } from "./markdown.ts";

/** A document or a part of it; what is missing is left out of the page. */
// biome-ignore lint/suspicious/noExplicitAny: documents are checked against OpenAPI's own schema when they are generated.
type Json = any;

/** One request in one language. */
export interface Sample {
  readonly label: string;
  readonly source: string;
}

/** An operation, as the guide shows it. */
export interface DescribedOperation {
  readonly operationId: string;
  /** The fragment that the reference shows it at. */
  readonly placeInReference: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly samples: readonly Sample[];
  /** The first example of its success, as JSON; null where there is none. */
  readonly answer: string | null;
}

/** What is set before a sample is run. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** What the guide takes from a contract; `x-guide` of the document says what OpenAPI has no place for. */
export interface DescribedContract {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly baseUrl: string;
  /** Markdown: for whom it is. */
  readonly audience: string;
  /** Markdown: which key it takes; null where the document does not say. */
  readonly key: string | null;
  readonly variables: readonly Variable[];
  readonly operations: readonly DescribedOperation[];
  /** Those of the operations to begin with. */
  readonly steps: readonly DescribedOperation[];
  /** The table that says what each error asks of the caller. */
  readonly errors: { header: string[]; rows: string[][] } | null;
}

const METHODS = ["get", "put", "post", "patch", "delete"];
/** What the table of errors has in every interface; it stands in the description of the codes' schema. */
const ERROR_COLUMNS = ["HTTP", "What to do"];

/** @param isAddressKnown false: the base URL is the one that the document itself has */
export function describeContract(
  { name, document }: Pick<Contract, "name" | "document">,
  isAddressKnown: boolean,
): DescribedContract {
  const { info, "x-guide": guide = {} } = document as Json;
  const baseUrl = isAddressKnown ? ADDRESS + basePathOf(document) : ownServerOf(document);
  const operations = operationsOf(document);
  const steps: Json[] = guide.steps ?? operations.filter(({ samples }) => samples.length > 0).map(idOf);
  const variables: Json[] = guide.variables ?? [];
  return {
    name,
    title: info.title,
    version: info.version,
    baseUrl,
    audience: guide.audience ?? info.description?.split(/\n\s*\n/)[0] ?? "",
    key: guide.key ?? null,
    variables: variables.map(({ value, note = "", ...variable }) => {
      return { ...variable, note, value: value.replace("{baseUrl}", () => baseUrl) };
    }),
    operations,
    steps: steps.flatMap((step) => operations.find((operation) => idOf(operation) === step) ?? []),
    errors: errorTableOf(document),
  };
}

function idOf({ operationId }: DescribedOperation): string {
  return operationId;
}

/** The first server, with the defaults of its variables. */
function ownServerOf(document: Json): string {
  const { url = "", variables = {} } = document.servers?.[0] ?? {};
  const text = url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => variables[name]?.default ?? name);
  return new URL(text, "https://shop.example").href.replace(/\/$/, "");
}

function operationsOf(document: Json): DescribedOperation[] {
  return Object.entries<Json>(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { operationId, summary = "", tags, responses = {}, "x-codeSamples": samples = [] } = item[method];
      return {
        operationId,
        placeInReference: placeInReference(operationId, tags?.[0]),
        method: method.toUpperCase(),
        path,
        summary,
        samples: samples.map(({ lang, label = lang, source }: Json) => ({ label, source: source.trim() })),
        answer: answerOf(document, responses),
      };
    }),
  );
}

function placeInReference(operationId: string, tag = "other"): string {
  return `#/${tag.replaceAll(/\s+/g, "-")}/${operationId}`.toLowerCase();
}

function answerOf(document: Json, responses: Json): string | null {
  const status = Object.keys(responses).find((one) => one.startsWith("2"));
  const { content = {} } = follow(document, responses[status ?? ""]) ?? {};
  const { examples = {} } = content["application/json"] ?? {};
  const { value } = follow(document, Object.values(examples)[0]) ?? {};
  return value === undefined ? null : JSON.stringify(value, null, 2);
}

function errorTableOf(document: Json) {
  const schemas = Object.values<Json>(document.components?.schemas ?? {});
  const tables = schemas.flatMap(({ description = "" }) => tablesIn(description));
  return tables.find(({ header }) => ERROR_COLUMNS.every((column) => header.includes(column))) ?? null;
}

function follow(document: Json, part: Json): Json {
  if (typeof part?.$ref !== "string") return part;
  const keys: string[] = part.$ref.split("/").slice(1);
  return follow(
    document,
    keys.reduce((inner: Json, key) => inner?.[key], document),
  );
}

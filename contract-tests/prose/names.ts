import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SCOPES } from "../../server/keys/api-key.ts";
import { follow, type Json } from "../../spec/tools/follow.ts";

const root = resolve(import.meta.dirname, "../..");

/** What of a document is written for people, and names others' things as well. */
const WORDING = new Set(["description", "summary", "x-codeSamples"]);
/** Longer texts of examples are content, but for streams of events, whose names are the interface's. */
const MAX_VALUE_LENGTH = 60;
/** What others call something: generators of clients, and programs that call models. */
const OF_OTHERS = /^## (?:A client generated|Programs|With the vendor)|^\*\*A client generated/;
/** The vendor's fields and counters, which the AI proxy reads. */
const VENDOR_NAMES =
  "server/{messages/{known-fields,reported-usage,read-request,refusal},calls/{bill,highest-charge}}.ts";
const OTHER_NAMES = new Set([
  ...[
    "null",
    "true",
    "false",
    "a",
    "event",
    "ttl",
    "Content-Encoding",
    "Authorization",
    "Microcents",
    "_microcents",
    "ai:proxy",
  ],
  ...["-", "_", "sk-", "sk_", "-remaining", "-reset", "anthropic-ratelimit", "/v1", "/docs", "request-id"],
  // Commands of buyers and operators, and what a shop serves beside its interfaces.
  ...[
    "availability",
    "buy",
    "resume",
    "order show",
    "order stuck",
    "openapi",
    "openapi-3",
    "json",
    "yaml",
    "npm start",
  ],
  // Of browsers, and of the page that asks for the account center.
  ...["Origin", "/account/", "#invitation", "localhost", "rawId", "navigator.credentials.get()"],
  // Of those who run the shop.
  "OPERATOR_PORT",
  // Of the vendor, by examples.
  ...["ping", "us", "priority", "code_execution", "web_fetch", "advisor", "fallback_credit_token", "audio"],
]);

/** A text of an interface: a page of its manual, or a part of its document. */
interface Text {
  readonly file: string;
  readonly text: string;
}

/** Every name that a document gives to something, and every word that its examples and enums have as a value. */
function namesIn(document: Json): Set<string> {
  const names = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.length > MAX_VALUE_LENGTH && !value.startsWith("event:")) return;
      for (const [word] of value.matchAll(/[\w.:-]+/g)) names.add(word);
    } else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        names.add(key);
        if (!WORDING.has(key)) add(inner);
      }
    }
  };
  add(document);
  return names;
}

/** The names that the vendor gives to fields, as far as the service reads them. */
function vendorNames(): Set<string> {
  const code = globSync(VENDOR_NAMES, { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  return new Set(code.flatMap((text) => [...text.matchAll(/[a-z]\w*/g)].map(([word]) => word)));
}

/**
 * The names in backticks that nothing of an interface has: fields, parameters, headers, codes, operations. Of what is no name,
 * such as a text in quotes or a call of a function, nothing is said.
 */
export function unknownNames(document: Json, texts: readonly Text[]): string[] {
  const known = new Set([...namesIn(document), ...Object.keys(SCOPES), ...vendorNames(), ...OTHER_NAMES]);
  const isKnown = (name: string) => known.has(name) || known.has(name.toLowerCase());
  return texts.flatMap(({ file, text }) =>
    tokensIn(text)
      .filter((token) => !isRight(token, document, isKnown))
      .map((token) => `${file} names \`${token}\`, which the document does not have`),
  );
}

function tokensIn(text: string): string[] {
  const own = text
    .replaceAll(/```.*?```/gs, "")
    .split(/^(?=## |\*\*)/m)
    .filter((section) => !OF_OTHERS.test(section));
  return own.flatMap((section) =>
    [...section.replaceAll(/\s+/g, " ").matchAll(/`([^`]+)`/g)].map(([, token = ""]) => token.trim()),
  );
}

function isRight(token: string, document: Json, isKnown: (name: string) => boolean): boolean {
  const [, method, path = "", query] = /^([A-Z]+) (\/[^? ]*)(?:\?(.*))?$/.exec(token) ?? [];
  if (method !== undefined) return isOperation(document, method, path, query);
  // What is quoted, and what is code, is not a name.
  if (/["(){}[\]<÷…]|^npm |^\/docs\//.test(token)) return true;
  const [, scheme] = /^Authorization: (\w+)/.exec(token) ?? [];
  if (scheme !== undefined) return schemesIn(document).has(scheme.toLowerCase());
  const name = token.replace(/(?:: | = |=).*$/, "");
  return (
    isKnown(name) ||
    name.split(".").every((part) => /^\d*$/.test(part) || isKnown(part) || part in document.paths)
  );
}

/** How keys are sent in `Authorization`. */
function schemesIn(document: Json): Set<string> {
  const schemes = Object.values<Json>(document.components.securitySchemes);
  return new Set(schemes.flatMap(({ scheme }) => (scheme === undefined ? [] : [scheme])));
}

/** Whether there is such an operation, and it has these parameters. */
function isOperation(document: Json, method: string, path: string, query = ""): boolean {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) return false;
  const parameters: Json[] = (operation.parameters ?? []).map((it: Json) => follow(document, it));
  const given = query === "" ? [] : query.split("&").map((pair) => pair.split("=")[0]);
  return given.every((name) => parameters.some((it) => it.in === "query" && it.name === name));
}

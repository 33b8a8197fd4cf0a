import { apiCompare } from "api-smart-diff";

/** A JSON object. */
export type Json = { readonly [key: string]: unknown };

/** One place where two documents differ. */
export interface Difference {
  readonly action: "add" | "remove" | "replace" | "rename";
  /** From the root of the document; indexes of lists are those of the document before. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** A document without references, in which objects that came from `components/schemas` are known by name. */
export interface ResolvedDocument {
  readonly root: Json;
  readonly schemaNames: WeakMap<object, string>;
}

/** Finds everything that two resolved documents do not have in common, wording included. */
export function findDifferences(before: ResolvedDocument, after: ResolvedDocument): Difference[] {
  const [old, now] = withoutEqualOperations(before.root, after.root);
  // The comparison rewrites what it is given.
  const { diffs } = apiCompare(structuredClone(old), structuredClone(now));
  return diffs.map((found) => ({
    action: found.action as Difference["action"],
    path: found.path.map(String),
    before: found.before,
    after: found.after,
  }));
}

/** The comparison takes long for what is the same on both sides, which is nearly all of most changes. */
function withoutEqualOperations(before: Json, after: Json): [Json, Json] {
  const pathsBefore = before.paths as Record<string, Json>;
  const pathsAfter = after.paths as Record<string, Json>;
  const differing = (paths: Record<string, Json>, others: Record<string, Json>) =>
    mapValues(paths, (item, path) => {
      const isDifferent = ([key, part]: [string, unknown]) =>
        JSON.stringify(part) !== JSON.stringify(others[path]?.[key]);
      return Object.fromEntries(Object.entries(item as Json).filter(isDifferent));
    });
  return [
    { ...before, paths: differing(pathsBefore, pathsAfter) },
    { ...after, paths: differing(pathsAfter, pathsBefore) },
  ];
}

/**
 * Puts every part of a bundled document where it is used, and what holds for all operations into each of them, so that
 * each difference is found where a buyer meets it. A schema that contains itself is cut off there.
 */
export function resolveDocument(document: Json): ResolvedDocument {
  const schemaNames = new WeakMap<object, string>();
  const { components = {}, security, paths = {}, ...others } = document as Record<string, Json>;
  // What the document's root says to tools alone, such as the port of its mock, is nothing to buyers.
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => !key.startsWith("x-")));
  const under: string[] = [];
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isObject(value)) return value;
    const { $ref, ...own } = value;
    if (typeof $ref !== "string") return joinNull(mapValues(value, resolve), schemaNames);
    if (under.includes($ref)) return { "x-recursive": $ref };
    under.push($ref);
    const resolved = { ...(resolve(lookUp(document, $ref)) as Json), ...mapValues(own, resolve) };
    under.pop();
    const [, schemaName] = /^#\/components\/schemas\/(.+)$/.exec($ref) ?? [];
    const isWhole = Object.keys(own).every((key) => key === "description" || key === "summary");
    if (schemaName !== undefined && isWhole) schemaNames.set(resolved, schemaName);
    return resolved;
  };
  const root = {
    ...(mapValues(rest, resolve) as Json),
    servers: basePathsOf(rest.servers),
    paths: mapValues(paths, (item) => completePath(resolve(item) as Json, security)),
    components: { securitySchemes: resolve(components.securitySchemes ?? {}) },
  };
  return { root, schemaNames };
}

/** Where the servers have the interface; the host is known only to who has deployed one that the document does not name. */
function basePathsOf(servers: unknown): Json[] {
  const urls = ((servers ?? []) as { url: string }[]).map(({ url }) => url.replace(/^\w+:\/\/\{[^}]+\}/, ""));
  return urls.map((url) => ({ url: url.replace(/\/$/, "") }));
}

/** "This or null" says the same as the schema itself with null among its types and values. */
function joinNull(schema: Json, schemaNames: WeakMap<object, string>): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const only: unknown = anyOf.find((alternative) => alternative.type !== "null");
  if (!isObject(only) || only.type === undefined || !anyOf.some(({ type }) => type === "null")) return schema;
  const joined = {
    ...only,
    ...rest,
    type: [only.type, "null"].flat(),
    ...(Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {}),
  };
  const name = schemaNames.get(only);
  if (name !== undefined) schemaNames.set(joined, name);
  return joined;
}

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function completePath(item: Json, security: unknown): Json {
  const { parameters: shared = [], ...rest } = item as { parameters?: unknown[] };
  return mapValues(rest, (operation, key) => {
    if (!METHODS.has(key) || !isObject(operation)) return operation;
    const { parameters: own = [] } = operation as { parameters?: Json[] };
    const inherited = (shared as Json[]).filter(
      (parameter) => !own.some((other) => isSame(parameter, other)),
    );
    return { security: security ?? [], ...operation, parameters: [...inherited, ...own] };
  });
}

/** Whether two descriptions are of the same parameter. */
export function isSame(parameter: Json, other: Json): boolean {
  return parameter.in === other.in && parameter.name === other.name;
}

/** Whether a value is a JSON object, and not a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function lookUp(document: Json, reference: string): unknown {
  const keys = reference.slice(2).split("/");
  return keys
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document);
}

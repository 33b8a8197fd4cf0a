import {
  type Difference,
  findDifferences,
  isObject,
  isSame,
  type Json,
  type ResolvedDocument,
  resolveDocument,
} from "./differences.ts";
import { type Effect, type Judgement, judgeDeprecation, judgeSchema, type Side } from "./judge-schema.ts";

/** A change of an interface, as its buyers meet it. */
export interface Change {
  readonly effect: Effect;
  /** Of requests, of answers, or of the interface as a whole. */
  readonly side: Side | "interface";
  /** What changed: a sentence without a full stop at its end. */
  readonly text: string;
  /** The operations where it is met, such as `GET /orders 200`; none for the interface as a whole. */
  readonly places: readonly string[];
}

type Documents = { readonly before: ResolvedDocument; readonly after: ResolvedDocument };
type Found = Judgement & { readonly side: Change["side"]; readonly place?: string };

const WORDING = new Set(["description", "summary", "tags", "example", "examples", "externalDocs"]);

/** Compares two bundled documents of an interface and judges every change; the same change in many places is one. */
export function findChanges(before: Json, after: Json): Change[] {
  const documents = { before: resolveDocument(before), after: resolveDocument(after) };
  const changes = new Map<string, Change>();
  for (const difference of findDifferences(documents.before, documents.after)) {
    const { effect, side, text, place } = judge(difference, documents);
    const key = [effect, side, text].join("\n");
    const places = new Set([...(changes.get(key)?.places ?? []), ...(place === undefined ? [] : [place])]);
    changes.set(key, { effect, side, text, places: [...places].sort() });
  }
  return [...changes.values()];
}

function judge(difference: Difference, documents: Documents): Found {
  const [group, path = "", method = "", ...rest] = difference.path;
  if (group === "paths" && method !== "")
    return judgeOperation(difference, { path, method, rest }, documents);
  return { side: "interface", ...judgeInterface(difference) };
}

function judgeInterface({ path, action, before, after }: Difference): Judgement {
  const name = path.join(" ");
  if (action === "rename")
    return { effect: "wording", text: `The path \`${before}\` is written \`${after}\` now` };
  if (path[0] === "servers" && path.at(-1) !== "description")
    return {
      effect: "breaking",
      text: `The base path differs: was \`${tell(before)}\`, is \`${tell(after)}\``,
    };
  if (path[1] === "securitySchemes" && !isWording(path)) {
    // Another way to send a key, for those who want it.
    const effect = action === "add" && path.length === 3 ? "compatible" : "breaking";
    return { effect, text: `How a key is sent differs (${path.slice(2).join(" ")})` };
  }
  return { effect: "wording", text: `${name} reads differently` };
}

function isWording(path: readonly string[]): boolean {
  const last = path.at(-1) ?? "";
  return last === "description" || last === "bearerFormat" || last.startsWith("x-");
}

interface OperationPlace {
  readonly path: string;
  readonly method: string;
  /** Keys from the operation to what differs. */
  readonly rest: readonly string[];
}

function judgeOperation(difference: Difference, at: OperationPlace, documents: Documents): Found {
  const place = `${at.method.toUpperCase()} ${at.path}`;
  const [part = ""] = at.rest;
  const { action } = difference;
  if (at.rest.length === 0) {
    const text =
      action === "add" ? `The operation \`${place}\` is new` : `The operation \`${place}\` is gone`;
    return { side: "interface", effect: action === "add" ? "compatible" : "breaking", text };
  }
  if (part === "deprecated")
    return { side: "interface", place, ...judgeDeprecation("The operation", difference) };
  if (WORDING.has(part) || part.startsWith("x-"))
    return {
      side: "interface",
      effect: "wording",
      text: `The ${part} of an operation reads differently`,
      place,
    };
  if (part === "parameters") return { side: "request", place, ...judgeParameter(difference, at, documents) };
  if (part === "requestBody") return { side: "request", place, ...judgeBody(difference, at, documents) };
  if (part === "responses") return judgeResponse(difference, at, documents);
  if (part === "security") return { side: "request", place, ...judgeSecurity(at, documents) };
  return { side: "interface", effect: "breaking", text: `The ${part} of an operation differs`, place };
}

function operationsOf({ path, method }: OperationPlace, documents: Documents): [Json, Json] {
  const find = ({ root }: ResolvedDocument) => {
    const paths = root.paths as Record<string, Record<string, Json>>;
    const written = paths[path] ?? Object.entries(paths).find(([other]) => isSamePath(other, path))?.[1];
    return written?.[method] ?? {};
  };
  return [find(documents.before), find(documents.after)];
}

/** Whether two paths differ only in what they call their parameters. */
function isSamePath(path: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll(/\{[^}]+\}/g, "{}");
  return plain(path) === plain(other);
}

function judgeParameter(difference: Difference, at: OperationPlace, documents: Documents): Judgement {
  const [, index = "", ...rest] = at.rest;
  const [before, after] = operationsOf(at, documents).map(({ parameters }) => parameters as Json[]);
  const { action } = difference;
  if (rest.length === 0) {
    const parameter = (action === "remove" ? difference.before : difference.after) as Json;
    const text = `The ${parameter.in} parameter \`${parameter.name}\` is`;
    if (action === "remove") return { effect: "breaking", text: `${text} gone` };
    return parameter.required === true
      ? { effect: "breaking", text: `${text} new and required` }
      : { effect: "compatible", text: `${text} new and may be left out` };
  }
  const old = before?.[Number(index)] ?? {};
  const now = after?.find((parameter) => isSame(parameter, old)) ?? {};
  const name = `The ${old.in} parameter \`${old.name}\``;
  if (rest[0] === "required")
    return now.required === true
      ? { effect: "breaking", text: `${name} is required now` }
      : { effect: "compatible", text: `${name} may be left out now` };
  if (rest[0] === "deprecated") return judgeDeprecation(name, difference);
  if (WORDING.has(rest[0] ?? "")) return { effect: "wording", text: `${name} is described differently` };
  // In a path the name is for readers only.
  if (rest[0] === "name" && old.in === "path")
    return { effect: "wording", text: `${name} is called differently` };
  if (rest[0] !== "schema") return { effect: "breaking", text: `${name}: ${rest[0]} differs` };
  const place = { side: "request", path: rest.slice(1), before: old.schema, after: now.schema } as const;
  return judgeSchema({ ...place, name: `${old.name}` }, difference, documents);
}

function judgeBody(difference: Difference, at: OperationPlace, documents: Documents): Judgement {
  const [before, after] = operationsOf(at, documents).map(
    ({ requestBody }) => requestBody as Json | undefined,
  );
  const [, keyword, ...rest] = at.rest;
  if (keyword === undefined || keyword === "required") {
    const isRequired = after?.required === true;
    if (after === undefined) return { effect: "breaking", text: "The body of the request is gone" };
    return { effect: isRequired ? "breaking" : "compatible", text: tellBody(isRequired) };
  }
  if (keyword === "content") return judgeContent("request", difference, rest, [before, after], documents);
  return { effect: "wording", text: "The body of the request is described differently" };
}

function tellBody(isRequired: boolean): string {
  return isRequired ? "A request needs a body now" : "A request may have a body, and needs none";
}

function judgeResponse(difference: Difference, at: OperationPlace, documents: Documents): Found {
  const [, status = "", keyword = "", name = "", ...rest] = at.rest;
  const operation = `${at.method.toUpperCase()} ${at.path}`;
  const found = { side: "answer", place: `${operation} ${status}` } as const;
  if (keyword === "") {
    // Programs treat an error that they do not know by its class; of a success they know what it looks like.
    const effect = status.startsWith("4") || status.startsWith("5") ? "compatible" : "breaking";
    const text = `The status ${status} is ${difference.action === "add" ? "new" : "gone"}`;
    return { ...found, place: operation, effect, text };
  }
  const bodies = operationsOf(at, documents).map(
    ({ responses }) => (responses as Record<string, Json>)[status],
  );
  if (keyword === "content")
    return {
      ...found,
      ...judgeContent("answer", difference, [name, ...rest].filter(Boolean), bodies, documents),
    };
  if (keyword !== "headers")
    return { ...found, effect: "wording", text: `The ${keyword} of an answer reads differently` };
  return { ...found, ...judgeHeader(difference, name, rest, bodies, documents) };
}

function judgeHeader(
  difference: Difference,
  name: string,
  rest: readonly string[],
  responses: (Json | undefined)[],
  documents: Documents,
): Judgement {
  const { action } = difference;
  if (rest.length === 0) {
    const text = `The header \`${name}\` is ${action === "add" ? "new" : "gone"}`;
    return { effect: action === "add" ? "compatible" : "breaking", text };
  }
  const [before, after] = responses.map((response) => (response?.headers as Record<string, Json>)?.[name]);
  if (rest[0] === "required")
    return after?.required === true
      ? { effect: "compatible", text: `The header \`${name}\` is always there now` }
      : { effect: "breaking", text: `The header \`${name}\` may be missing now` };
  if (rest[0] !== "schema")
    return { effect: "wording", text: `The header \`${name}\` is described differently` };
  const place = {
    side: "answer",
    path: rest.slice(1),
    before: before?.schema,
    after: after?.schema,
  } as const;
  return judgeSchema({ ...place, name }, difference, documents);
}

function judgeContent(
  side: Side,
  difference: Difference,
  path: readonly string[],
  bodies: (Json | undefined)[],
  documents: Documents,
): Judgement {
  const [mediaType = "", keyword, ...rest] = path;
  if (keyword === undefined) {
    const isNew = difference.action === "add";
    const text = `The media type \`${mediaType}\` is ${isNew ? "new" : "gone"}`;
    return { effect: isNew ? "compatible" : "breaking", text };
  }
  if (keyword !== "schema") return { effect: "wording", text: `The ${keyword} of a body read differently` };
  const [before, after] = bodies.map((body) => (body?.content as Record<string, Json>)?.[mediaType]?.schema);
  return judgeSchema({ side, path: rest, before, after, name: "body" }, difference, documents);
}

type Requirement = Readonly<Record<string, readonly string[]>>;

/** Every key that was enough must still be. */
function judgeSecurity(at: OperationPlace, documents: Documents): Judgement {
  const [before, after] = operationsOf(at, documents).map(({ security }) => security as Requirement[]);
  const isEnough = (had: Requirement, needed: Requirement) =>
    Object.entries(needed).every(([scheme, scopes]) => scopes.every((scope) => had[scheme]?.includes(scope)));
  const openToAll: Requirement[] = [{}];
  const [old, now] = [before, after].map((list) =>
    list === undefined || list.length === 0 ? openToAll : list,
  );
  const stillAllowed = old?.every((had) =>
    now?.some((needed) => isEnough(had, needed) && sends(had, needed)),
  );
  return stillAllowed
    ? { effect: "compatible", text: "More keys are let in than before" }
    : { effect: "breaking", text: "Keys that were let in are refused now (schemes or scopes differ)" };
}

function sends(had: Requirement, needed: Requirement): boolean {
  return Object.keys(needed).every((scheme) => scheme in had);
}

function tell(value: unknown): string {
  return isObject(value) ? String(value.url ?? "") : String(value ?? "none");
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedClock } from "../../server/testing/fixed-clock.ts";
import { type Answer, headersWith, INTERFACES } from "../contract.ts";
import { credentialsFor } from "../fuzz/callers.ts";
import { codeIn, refusalOf } from "../fuzz/expectations.ts";
import { type FuzzShop, startFuzzShop } from "../fuzz/fuzz-shop.ts";
import type { FuzzedInterface } from "../fuzz/fuzzed-interface.ts";
import type { RequestParts } from "../fuzz/request.ts";
import type { Schema } from "../fuzz/schema.ts";
import { openSpec, type Spec, type SpecOperation } from "../fuzz/spec.ts";
import { toRequest } from "../fuzz/valid-requests.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import { type Edge, edgesOf } from "./edges.ts";
import { type ListShape, listShapeOf } from "./list-of.ts";

// Every limit that the documents name is tried from both of its sides, every list at its exact end, and every time at a
// moment that is known: all of it follows from the documents.

/** Not a whole second, so that rounding shows. */
const NOW = "2031-05-06T07:08:09.876Z";
const CALLS = 3;
const MOSTLY_PERCENT = 50;

interface Subject {
  readonly title: string;
  readonly spec: Spec;
  readonly operation: SpecOperation;
  readonly known: FuzzedInterface;
}

const subjects: Subject[] = (
  await Promise.all(
    INTERFACES.map(async (name) => {
      const spec = openSpec(name);
      const { fuzz: known } = await interfaceUnderTest(name);
      return spec.operations.map((operation) => ({
        title: `${name} ${operation.operationId}`,
        ...{ spec, operation, known },
      }));
    }),
  )
).flat();

let shop: FuzzShop;
/** Where times have been seen, as `ordering getOrder createdAt`. */
const timesSeen = new Set<string>();
const wrongTimes = new Set<string>();

beforeAll(async () => {
  shop = await startFuzzShop(CALLS, fixedClock(NOW).clock);
  // What lists show comes of requests.
  for (const subject of subjects.filter(({ operation }) => operation.body !== null))
    for (let call = 0; call < CALLS; call += 1) await ask(subject, usualParts(subject));
});
afterAll(() => shop.stop());

/** What the shop has for a parameter or a field, where it is mostly asked for that. */
function usualValue({ operation, known, spec }: Subject, name: string, schema: Schema): unknown {
  const { name: schemaName } = spec.schemas.plain(schema);
  const { byParameter, byName } = known;
  const has = byParameter[`${operation.operationId} ${name}`] ?? byName[schemaName ?? ""] ?? byName[name];
  return has !== undefined && has.percent > MOSTLY_PERCENT ? has.values[0] : undefined;
}

/** The request that the document's examples make up, about what the shop has. */
function usualParts(subject: Subject): RequestParts {
  const { operation, known, spec } = subject;
  const { allParameters, admissions, body } = operation;
  const path = allParameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name, schema, example }) => [name, String(usualValue(subject, name, schema) ?? example)]);
  const query = allParameters
    .filter((parameter) => parameter.in === "query" && parameter.required === true)
    .map(({ name, schema, example }) => {
      return [name, encodeURIComponent(String(usualValue(subject, name, schema) ?? example))] as const;
    });
  const headers = allParameters
    .filter((parameter) => parameter.in === "header" && parameter.example !== undefined)
    .map(({ name, example }) => [name.toLowerCase(), String(example)]);
  const [admission] = admissions;
  const [credential = ""] = credentialsFor(operation, admission, known);
  return {
    path: Object.fromEntries(path.map(([name, value]) => [name, encodeURIComponent(value as string)])),
    query,
    headers: {
      ...Object.fromEntries(headers),
      ...(admission && headersWith(admission, credential)),
      ...(body && { "content-type": body.mediaType }),
    },
    ...(body && {
      body: JSON.stringify(usualBody(subject, spec.schemas.plain(body.schema).properties ?? {})),
    }),
  };
}

function usualBody(subject: Subject, fields: Readonly<Record<string, Schema>>): object {
  const [media] = Object.values(subject.operation.requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const shown = example?.value as Readonly<Record<string, unknown>>;
  const body = Object.entries(shown).map(([name, value]) => [
    name,
    usualValue(subject, name, fields[name] ?? {}) ?? value,
  ]);
  return Object.fromEntries(body);
}

/** Asks, and looks at the times of the answer. */
async function ask({ spec, operation, title }: Subject, parts: RequestParts): Promise<Answer> {
  const answer = await shop.sender.send(toRequest(operation, parts));
  // A path that lacks a part is another path, perhaps that of another operation with a slash at its end.
  if (Object.values(parts.path).includes("") && answer.status === 200) return answer;
  expect(spec.contract.faultsOf(operation, answer), title).toEqual([]);
  // Balances, codes and prompts are for their caller alone.
  if (operation.admissions.length > 0 && !Object.values(parts.path).includes(""))
    expect(answer.headers["cache-control"], title).toBe("no-store");
  // What the validator of the service finds is answered with a documented 500.
  expect(answer.status, [title, answer.body, ...shop.loggedOf(answer)].join("\n")).toBeLessThan(500);
  if (answer.status === 200 && answer.headers["content-type"] === "application/json")
    lookAtTimes(title, JSON.parse(answer.body));
  return answer;
}

function lookAtTimes(title: string, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (TIME.test(name) && inner !== null) {
      timesSeen.add(`${title} ${name}`);
      if (inner !== Math.floor(Date.parse(NOW) / 1000) && inner !== NOW)
        wrongTimes.add(`${title}: ${name} is ${JSON.stringify(inner)} at ${NOW}`);
    } else lookAtTimes(title, inner);
  }
}

/** What ends or expires at a time does so later. */
const TIME = /(?<!^ends|^expires)At$|_at$/;

/** The fields of an answer that are times, at any depth. */
function timeFields(spec: Spec, schema: Schema, within: readonly string[] = []): string[] {
  const { name, properties = {}, items, anyOf = [], oneOf = [] } = spec.schemas.plain(schema);
  if (name !== null && within.includes(name)) return [];
  const inside = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf];
  const path = name === null ? within : [...within, name];
  return [
    ...Object.keys(properties).filter((field) => TIME.test(field)),
    ...inside.flatMap((each) => timeFields(spec, each, path)),
  ];
}

function bodySchema({ operation }: Subject): Schema | undefined {
  return operation.responses[200]?.content["application/json"]?.schema as Schema | undefined;
}

describe("files have the columns that their examples show:", () => {
  const files = subjects.flatMap((subject) => {
    const { examples = {} } = subject.operation.responses[200]?.content["text/csv"] ?? {};
    return Object.entries(examples).map(([name, { value }]) => ({
      ...{ title: `${subject.title} ${name}`, subject, example: String(value) },
    }));
  });

  test.each(files)("$title", async ({ subject, example }) => {
    const { body } = await ask(subject, usualParts(subject));
    const [heading = "", ...rows] = example.trimEnd().split("\r\n");
    expect(body.split("\r\n")[0]).toBe(heading);
    for (const row of rows)
      expect(row.replaceAll(/"(?:[^"]|"")*"/g, "").split(","), row).toHaveLength(heading.split(",").length);
  });

  test("there are files", () => expect(files.length).toBeGreaterThan(3));
});

describe("limits hold from both sides:", () => {
  const cases = subjects.flatMap((subject) =>
    edgesOf(subject.spec, subject.operation).map((edge) => ({ subject, edge })),
  );
  const named = cases.map(({ subject, edge }) => {
    const value = JSON.stringify(edge.value);
    const shown = value.length > 8 ? `${value.slice(0, 4)}… of ${[...String(edge.value)].length}` : value;
    return [`${subject.title} ${edge.place} ${edge.name} ${edge.limit}: ${shown}`, subject, edge] as const;
  });

  test.each(named)("%s", async (_, subject, edge) => {
    const { operation, known } = subject;
    const parts = withEdge(usualParts(subject), edge);
    const answer = await ask(subject, parts);
    if (!edge.isWithin) {
      const kind = edge.place === "path" ? "invalid path" : "invalid input";
      // A path that lacks a part is another path.
      const isOther = edge.place === "path" && edge.value === "";
      if (isOther && answer.status === 200) return;
      const refusal = refusalOf(known.refusals, operation, isOther ? "no such path" : kind);
      if (refusal === null) return;
      expect([answer.status, codeIn(answer.body)]).toEqual([refusal.status, refusal.code]);
      const { fields } = JSON.parse(answer.body).details ?? {};
      if (fields !== undefined) expect(Object.keys(fields), answer.body).toEqual([edge.name]);
      return;
    }
    if (known.mayBeRefused(operation, parts)) return;
    expect(answer.status, answer.body).not.toBe(400);
    // What was asked for comes back as it was.
    const said = answer.status === 200 ? JSON.parse(answer.body)[edge.name] : undefined;
    if (said !== undefined) expect(said).toBe(edge.value);
  });
});

function withEdge(parts: RequestParts, { place, name, value }: Edge): RequestParts {
  const encoded = encodeURIComponent(value);
  if (place === "query") return { ...parts, query: withQuery(parts, [[name, encoded]]) };
  if (place === "path") return { ...parts, path: { ...parts.path, [name]: encoded } };
  if (place === "header") return { ...parts, headers: { ...parts.headers, [name.toLowerCase()]: encoded } };
  return { ...parts, body: JSON.stringify({ ...JSON.parse(String(parts.body)), [name]: value }) };
}

/** The query with these instead of what it has of their names. */
function withQuery({ query }: RequestParts, pairs: RequestParts["query"]): RequestParts["query"] {
  const names = new Set(pairs.map(([name]) => name));
  return [...query.filter(([name]) => !names.has(name)), ...pairs];
}

/** The characters of a class such as `A-Za-z._-`. */
function charactersOf(letters: string): string {
  return letters.replaceAll(/(\w)-(\w)/g, (_, first: string, last: string) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
    return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
  });
}

test.each(subjects)("the X-Request-Id of $title may be as long as its pattern says", async (subject) => {
  const [, success] = Object.entries(subject.operation.responses).find(([it]) => it.startsWith("2")) ?? [];
  const { schema } = success?.headers["X-Request-Id"] ?? {};
  const [, most] = /\{1,(\d+)\}\$$/.exec(schema?.pattern ?? "") ?? [];
  const idFor = async (id: string) => {
    const parts = usualParts(subject);
    const answer = await ask(subject, { ...parts, headers: { ...parts.headers, "x-request-id": id } });
    return answer.headers["x-request-id"];
  };
  for (const length of [1, Number(most)]) expect(await idFor("r".repeat(length))).toBe("r".repeat(length));
  const [, letters = ""] = /^\^\[([^\]]+)\]/.exec(schema?.pattern ?? "") ?? [];
  const all = charactersOf(letters);
  expect(await idFor(all), "an X-Request-Id of all characters that its pattern allows").toBe(all);
  expect(await idFor("r".repeat(Number(most) + 1))).not.toContain("r".repeat(Number(most)));
});

describe("lists end where they end:", () => {
  const lists = subjects.flatMap((subject) => {
    const schema = bodySchema(subject);
    if (schema === undefined) return [];
    const shape = listShapeOf(subject.operation, subject.spec.schemas.plain(schema).properties ?? {});
    return shape === null ? [] : [{ subject, shape, title: subject.title }];
  });

  test.each(lists)("$title", async ({ subject, shape, title }) => {
    const read = pageReader(subject, shape);
    const { rows } = await read({ limit: shape.most });
    expect(
      rows.length,
      `${title} shows too few rows: let prepare() of its fuzz data add some`,
    ).toBeGreaterThan(2);
    const [first, last, count] = [rows.slice(0, 1), rows.slice(-1), rows.length];
    const none = shape.more === null ? undefined : false;
    const some = shape.more === null ? undefined : true;
    expect(await read({})).toMatchObject({
      rows: rows.slice(0, shape.usual),
      more: count > shape.usual ? some : none,
    });
    expect(await read({ limit: count })).toMatchObject({ rows, more: none });
    expect(await read({ limit: count + 1 })).toMatchObject({ rows, more: none });
    expect(await read({ limit: 1 })).toMatchObject({ rows: first, more: some });
    const page = await read({ limit: count - 1 });
    expect(page).toMatchObject({ rows: rows.slice(0, -1), more: some });
    for (const [parameter, field] of Object.entries(shape.next)) {
      const [goesBack] = parameter.match(/before|previous/) ?? [];
      const whole = goesBack ? await read({ limit: 1, [toLast(shape)]: page.fields[lastOf(shape)] }) : page;
      const leads = String(whole.fields[field]);
      const rest = goesBack ? rows.slice(0, -1) : last;
      expect(await read({ limit: rest.length, [parameter]: leads }), parameter).toMatchObject({
        rows: rest,
        more: none,
      });
      if (rest.length > 1)
        expect(await read({ limit: rest.length - 1, [parameter]: leads })).toMatchObject({
          rows: goesBack ? rest.slice(1) : rest.slice(0, -1),
          more: some,
        });
    }
  });
});

/** The parameter that leads to the page that follows, and the field that it takes. */
function toLast({ next }: ListShape): string {
  return Object.keys(next).find((name) => !/before|previous/.test(name)) ?? "";
}
function lastOf(shape: ListShape): string {
  return shape.next[toLast(shape)] ?? "";
}

function pageReader(subject: Subject, { rows, more }: ListShape) {
  return async (query: Readonly<Record<string, unknown>>) => {
    const pairs = Object.entries(query).map(
      ([name, value]) => [name, encodeURIComponent(String(value))] as const,
    );
    const parts = usualParts(subject);
    const answer = await ask(subject, { ...parts, query: withQuery(parts, pairs) });
    expect(answer.status, answer.body).toBe(200);
    const fields = JSON.parse(answer.body);
    return { rows: fields[rows] as unknown[], more: more === null ? undefined : fields[more], fields };
  };
}

test("every time is that of the service's clock, in the unit that its document says", async () => {
  for (const subject of subjects.filter(({ operation }) => operation.method === "GET"))
    await ask(subject, usualParts(subject));
  expect([...wrongTimes]).toEqual([]);
  const documented = subjects.flatMap((subject) => {
    const schema = bodySchema(subject);
    const fields = schema === undefined ? [] : timeFields(subject.spec, schema);
    return fields.flatMap((field) => {
      const isNeverTold = subject.known.neverTold.includes(`${subject.operation.operationId} ${field}`);
      return isNeverTold ? [] : [`${subject.title} ${field}`];
    });
  });
  expect([...timesSeen].sort()).toEqual([...new Set(documented)].sort());
});

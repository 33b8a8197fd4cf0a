import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Listening } from "../../server/http/listen.ts";
import type { Json } from "../../spec/tools/follow.ts";
import { headersWith, INTERFACES, usualHeaders } from "../contract.ts";
import type { Schema } from "../fuzz/schema.ts";
import { openSpec, type SpecOperation } from "../fuzz/spec.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import { startAnsweringService, type Told } from "./answering-service.ts";
import type { FieldCase } from "./field-case.ts";
import { listedTwice } from "./listed-twice.ts";
import { repeatedValues, type ToldAnswer, untoldFields, untoldLengths } from "./told-apart.ts";

// Every field of every answer is compared over HTTP with what the use cases gave, in worlds in which no two values are the
// same: so a converter that fills a field from its neighbour is found, which no schema and no sentence tells. The same holds of
// what handlers take from a request.

const root = resolve(import.meta.dirname, "../..");
/** Where the cases of an interface are said. */
const advice = (name: string) => `Say it in contract-tests/interfaces/${name}/field-cases.ts.`;

const subjects = await Promise.all(
  INTERFACES.map(async (name) => ({ name, spec: openSpec(name), ...(await interfaceUnderTest(name)) })),
);

let told: Told;
let service: Listening;
beforeAll(async () => {
  told = { admits: {}, gives: {}, asked: new Map() };
  service = await startAnsweringService(told);
});
afterAll(() => service.close());

/** The schema of its success, JSON or a text, where a handler of ours makes that; undefined where it has no body. */
function convertedSchema(name: string, { operationId, responses }: SpecOperation): Schema | undefined {
  const file = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const handler = readFileSync(join(root, "server/interfaces", name, `${file}.ts`), "utf8");
  if (handler.includes("rawOperation(")) return undefined;
  const [media] = Object.values((responses[200] ?? responses[201])?.content ?? {});
  return media?.schema as Schema | undefined;
}

async function answerTo(operation: SpecOperation, each: FieldCase): Promise<unknown> {
  const response = await send(operation, each);
  const text = await response.text();
  expect([200, 201], text).toContain(response.status);
  return response.headers.get("content-type") === "application/json" ? JSON.parse(text) : text;
}

function send(operation: SpecOperation, each: FieldCase, method = operation.method): Promise<Response> {
  const { path = {}, query, body } = each;
  const filled = operation.fullPath.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(path[name] ?? ""),
  );
  const [admission] = operation.admissions;
  return fetch(`${service.url}${filled}${query === undefined ? "" : `?${query}`}`, {
    method,
    headers: {
      ...usualHeaders(operation),
      ...(admission && headersWith(admission, "svc_sk_any")),
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The schema of the parameter that says how many rows to return. */
function limitOf({ allParameters }: SpecOperation): Json | undefined {
  return allParameters.find((parameter) => parameter.name === "limit")?.schema;
}

function limitIn({ query = "" }: FieldCase): number {
  return Number(/limit=(\d+)/.exec(query)?.[1]);
}

describe.each(subjects)("every field of $name has its own value:", ({ name, spec, fieldCases }) => {
  const converted = spec.operations.flatMap((operation) => {
    const schema = convertedSchema(name, operation);
    return schema === undefined ? [] : [{ operation, schema, title: `${name} ${operation.operationId}` }];
  });
  const casesOf = ({ operationId }: SpecOperation) =>
    fieldCases.cases.filter((it) => it.operationId === operationId);

  test.each(converted)("$title", async ({ operation }) => {
    const cases = casesOf(operation);
    expect(
      cases.length,
      `There is no field case of ${operation.operationId}. ${advice(name)}`,
    ).toBeGreaterThan(0);
    for (const each of cases) {
      const alike = repeatedValues(each.gives);
      expect(alike, `values that may be taken for each other: ${each.name}`).toEqual(each.alike ?? []);
      Object.assign(told, { admits: fieldCases.admits, gives: each.gives });
      told.asked.clear();
      expect(await answerTo(operation, each), each.name).toEqual(each.answer);
      expect(Object.fromEntries(told.asked), each.name).toEqual(each.asked);
    }
  });

  test(`lists of ${name} show all that there is, in the order in which it is given`, async () => {
    const lists = converted.flatMap(({ operation }) =>
      casesOf(operation).flatMap((each) => {
        const twice = listedTwice(each);
        return twice === null ? [] : [{ operation, twice }];
      }),
    );
    for (const { operation, twice } of lists) {
      Object.assign(told, { admits: fieldCases.admits, gives: twice.gives });
      expect(await answerTo(operation, twice), `${operation.operationId} with two rows`).toEqual(
        twice.answer,
      );
    }
  });

  test(`every limit of ${name} reaches its use case, the least, the greatest and the default`, async () => {
    const lists = converted.filter(({ operation }) => limitOf(operation) !== undefined);
    for (const { operation } of lists) {
      const [first] = casesOf(operation).filter(({ query = "" }) => /limit=\d+/.test(query));
      if (first === undefined)
        throw new Error(`No case of ${operation.operationId} has a limit. ${advice(name)}`);
      const { minimum, maximum, default: usual } = limitOf(operation) ?? {};
      for (const [query, limit] of [
        [`limit=${minimum}`, minimum],
        [`limit=${maximum}`, maximum],
        ["", usual],
      ])
        expect(await askedWith(operation, first, String(query)), `${operation.operationId}?${query}`).toEqual(
          JSON.parse(JSON.stringify(first.asked), (_, value) => (value === limitIn(first) ? limit : value)),
        );
    }
  });

  /** What the use cases are asked with, when a case's query has another limit. */
  async function askedWith(operation: SpecOperation, each: FieldCase, limit: string): Promise<unknown> {
    Object.assign(told, { admits: fieldCases.admits, gives: each.gives });
    told.asked.clear();
    const query = each.query?.replace(/limit=\d+/, limit).replace(/^&|&(?=&|$)/g, "");
    await answerTo(operation, { ...each, query: query ?? "" });
    return JSON.parse(JSON.stringify(Object.fromEntries(told.asked)));
  }

  test(`HEAD is answered as GET is by every operation of ${name}, without the body`, async () => {
    const read = converted.filter(({ operation }) => operation.method === "GET");
    for (const { operation } of read)
      for (const each of casesOf(operation)) {
        Object.assign(told, { admits: fieldCases.admits, gives: each.gives });
        const head = await send(operation, each, "HEAD");
        const what = `HEAD of ${operation.operationId}?${each.query ?? ""}`;
        expect([head.status, await head.text()], what).toEqual([200, ""]);
        const { headers } = await send(operation, each);
        expect(head.headers.get("content-type"), what).toBe(headers.get("content-type"));
      }
  });

  const answers = converted.flatMap(({ operation, schema }) =>
    casesOf(operation).map(({ answer }): ToldAnswer => ({ schema, body: answer })),
  );

  test(`the cases of ${name} tell all fields apart`, () => {
    expect(untoldFields(spec, answers), advice(name)).toEqual([]);
  });

  test(`the cases of ${name} show lists as long as they may be`, () => {
    expect(untoldLengths(spec, answers), advice(name)).toEqual([]);
  });

  test(`a case of each operation of ${name} gives all query parameters at once`, () => {
    const missing = converted.flatMap(({ operation }) => {
      const names = operation.allParameters.filter((it) => it.in === "query").map((it) => it.name);
      const wanted = names.filter((it) => !(fieldCases.notAtOnce ?? []).includes(it));
      const given = casesOf(operation).map(({ query }) => new URLSearchParams(query));
      return given.some((query) => wanted.every((it) => query.has(it)))
        ? []
        : [`no case of ${operation.operationId} gives ${wanted.join(", ")} at once`];
    });
    expect(missing, advice(name)).toEqual([]);
  });
});

import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Contract, INTERFACES, type Operation, openContract } from "../contract.ts";
import type { Schema } from "../fuzz/schema.ts";
import { openSpec, type Spec, type SpecOperation } from "../fuzz/spec.ts";

/** Names of tests by the file that has to have them, from the project's folder. */
export type ExpectedTests = ReadonlyMap<string, readonly string[]>;

const root = resolve(import.meta.dirname, "../..");
/** vitest shows no more of a value in a test's name. */
const MAX_SHOWN_LENGTH = 40;

/** Tests that stand for themselves, and without which a part of the gate looks at less than its name says. */
export const SINGLE_TESTS: ExpectedTests = new Map(
  Object.entries({
    "boundaries/boundaries.test.ts": [
      "every time is that of the service's clock, in the unit that its document says",
    ],
    "error-codes/error-codes.test.ts": ["every class of errors has its place"],
    "prose/prose.test.ts": [
      "an error code that a text names with a status has that status",
      "the description of an answer names no error code of another",
      "the changelog tells of every version in the words that the guide finds, the newest first",
      "the diagram of an order's states has the moves of the service",
      "the numbers that texts repeat are where they were",
      "no number with a unit stands in a text unless it is compared with something",
    ],
    "prose/places.test.ts": [
      "addresses in documents, examples and samples are of nobody",
      "no document, example or manual holds what may be a key",
      "the releases of the changelog are dated, and no release before the one that it follows",
    ],
    "prose/manuals.test.ts": [
      "the metrics of the operators' manual are those of the service",
      "the ends of a purchase in the client's manual are those of its types",
      "every command that a manual names is there",
    ],
    "types.test.ts": [
      "an optional field that comes to every schema compiles at once",
      "the service reads everything that a request may say: > but for what is said to be ignored",
    ],
  }).map(([file, names]) => [`contract-tests/${file}`, names]),
);

/** The tests that the documents call for: one for each interface, operation, answer, example or schema. */
export function expectedTests(): ExpectedTests {
  const all = new Map([...SINGLE_TESTS].map(([file, names]) => [file, [...names]]));
  const expect = (file: string, names: readonly string[]) =>
    all.set(file, [...(all.get(file) ?? []), ...names]);
  for (const name of INTERFACES) {
    const contract = openContract(name);
    for (const [file, names] of Object.entries(ofInterface(name, contract)))
      expect(`contract-tests/${file}`, names);
    const client = `contract-tests/client/${name}-examples.test.ts`;
    if (existsSync(join(root, client)))
      expect(
        client,
        answerExamples(contract, "application/json").map(
          (title) => `${shown(title)} of the mock is told as it is, and nothing is sent again`,
        ),
      );
  }
  return all;
}

/** Of the parts that look at documents and mocks alone, and of those that ask the service, by file. */
function ofInterface(name: string, contract: Contract): Record<string, string[]> {
  return { ...ofDocument(name, contract), ...ofService(name, contract) };
}

function ofEach(those: readonly Operation[], title: (operationId: string) => string): string[] {
  return those.map(({ operationId }) => title(operationId));
}

function guardedOf({ operations }: Contract): Operation[] {
  return operations.filter(({ admissions }) => admissions.length > 0);
}

function ofDocument(name: string, contract: Contract): Record<string, string[]> {
  const answers = contract.operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${name} ${operationId} ${status}`),
  );
  return {
    "examples.test.ts": [
      ...answers.map((title) => `${shown(title)} has an example of every error code that it allows`),
      ...[...answerExamples(contract), ...requestExamples(contract)].map(
        (title) => `${shown(`${name} ${title}`)} does not contradict itself`,
      ),
      ...pairedExamples(contract).map(
        (title) => `${shown(`${name} ${title}`)} answers the request of its name`,
      ),
      `the examples of headers of ${name} fit them`,
    ],
    "prism/prism.test.ts": [
      ...answerExamples(contract).map(
        (title) => `the mock of the ${name} interface > answers ${shown(title)}`,
      ),
      ...ofEach(
        guardedOf(contract),
        (id) => `the mock of the ${name} interface > asks for a key at ${shown(id)}`,
      ),
      `the mock of ${name} can make up answers that keep to the contract`,
    ],
    "fuzz/values.test.ts": Object.keys(openSpec(name).named).map(
      (schema) => `the schemas of ${name} > ${schema}: values fit, and violations do not`,
    ),
    "prose/prose.test.ts": [
      ...tablesOf(name).map((title) => `every table says what the document says: > ${title}`),
      `the guide of ${name} names the kinds of keys that may do its first requests`,
      `descriptions of ${name} name the scopes and the order of lists that operations have`,
    ],
    "change/find-changes.test.ts": [`the document of ${name} has no changes against itself`],
  };
}

function ofService(name: string, contract: Contract): Record<string, string[]> {
  const { operations } = contract;
  const converted = operations.filter((operation) => isConverted(name, operation));
  return {
    "dredd/dredd.test.ts": [`the live server gives every documented answer of ${name}`],
    "fuzz/fuzz.test.ts": [
      ...ofEach(operations, (id) => `requests made from the documents > ${name} ${id} valid`),
      ...ofEach(guardedOf(contract), (id) => `requests made from the documents > ${name} ${id} broken`),
    ].map(shownAtEnd),
    "error-codes/error-codes.test.ts": [
      ...ofEach(operations, (id) => shown(`${name} ${id}`)),
      `the errors of ${name} have operations that are there`,
    ].map((title) => `every error code of ${name} comes over HTTP with its status: > ${title}`),
    "boundaries/boundaries.test.ts": boundariesOf(name, operations),
    "fields/fields.test.ts": [
      ...ofEach(converted, (id) => shown(`${name} ${id}`)),
      `lists of ${name} show all that there is, in the order in which it is given`,
      `every limit of ${name} reaches its use case, the least, the greatest and the default`,
      `the cases of ${name} tell all fields apart`,
      `the cases of ${name} show lists as long as they may be`,
      `a case of each operation of ${name} gives all query parameters at once`,
      `HEAD is answered as GET is by every operation of ${name}, without the body`,
    ].map((title) => `every field of ${name} has its own value: > ${title}`),
  };
}

function boundariesOf(name: string, operations: readonly Operation[]): string[] {
  const spec = openSpec(name);
  const lists = operations.filter(({ parameters }) => parameters.some((it) => it.name === "limit"));
  const limits = spec.operations.flatMap((operation) =>
    limitsOf(spec, operation).map((limit) => `${name} ${operation.operationId} ${limit}`),
  );
  return [
    ...ofEach(
      operations,
      (id) => `the X-Request-Id of ${shown(`${name} ${id}`)} may be as long as its pattern says`,
    ),
    ...limits.map((title) => `limits hold from both sides: > ${title}`),
    ...ofEach(lists, (id) => `lists end where they end: > ${shown(`${name} ${id}`)}`),
  ];
}

/** Such as `getOrder 200 delivered`. @param only the media type; all without it */
function answerExamples({ operations }: Contract, only?: string): string[] {
  return operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content)
        .filter(([mediaType]) => only === undefined || mediaType === only)
        .flatMap(([, { examples }]) =>
          Object.keys(examples).map((example) => `${operationId} ${status} ${example}`),
        ),
    ),
  );
}

function requestExamples({ operations }: Contract): string[] {
  return operations.flatMap(({ operationId, requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ examples }) =>
      Object.keys(examples).map((example) => `${operationId} request ${example}`),
    ),
  );
}

/** Such as `createOrder 200 replay`: an answer and a request whose examples bear one name. */
function pairedExamples({ operations }: Contract): string[] {
  return operations.flatMap(({ operationId, requestBody, responses }) => {
    const sent = Object.values(requestBody?.content ?? {}).flatMap(({ examples }) => Object.keys(examples));
    return Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content)
        .flatMap(({ examples }) => Object.keys(examples))
        .filter((example) => sent.includes(example))
        .map((example) => `${operationId} ${status} ${example}`),
    );
  });
}

/** Whether the service makes its answer, as JSON, and does not pass on another's. */
function isConverted(name: string, { operationId, responses }: Operation): boolean {
  const file = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const handler = readFileSync(join(root, "server/interfaces", name, `${file}.ts`), "utf8");
  const success = responses[200] ?? responses[201];
  return success?.content["application/json"] !== undefined && !handler.includes("rawOperation(");
}

/** How far beyond each kind of limit a value is too small or too large. */
const BEYOND = { minimum: -1, maximum: 1, minLength: -1, maxLength: 1 } as const;

/** What is tried of a request's limits, such as `query limit maximum 100: 101`. */
function limitsOf({ schemas }: Spec, { allParameters, body }: SpecOperation): string[] {
  const fields = body === null ? {} : (schemas.plain(body.schema).properties ?? {});
  const inputs: (readonly [place: string, Schema])[] = [
    ...allParameters.map(({ in: place, name, schema }) => [`${place} ${name}`, schema] as const),
    ...Object.entries(fields).map(([name, schema]) => [`body ${name}`, schema] as const),
  ];
  return inputs.flatMap(([place, written]) => {
    const schema = schemas.plain(written);
    const keywords = schema.types.includes("integer")
      ? (["minimum", "maximum"] as const)
      : schema.types.includes("string") && schema.pattern === undefined
        ? (["minLength", "maxLength"] as const)
        : [];
    return keywords.flatMap((keyword) => {
      const limit = schema[keyword];
      if (limit === undefined || place.startsWith("cookie ")) return [];
      const values = [limit, limit + BEYOND[keyword]].flatMap((value) => valuesAt(keyword, value));
      return values.map((value) => `${place} ${keyword} ${limit}: ${value}`);
    });
  });
}

/** The values of that size, as the names of tests show them. */
function valuesAt(keyword: keyof typeof BEYOND, size: number): string[] {
  const isNumber = keyword === "minimum" || keyword === "maximum";
  const letters = keyword === "maxLength" ? ["x", "😀"] : ["x"];
  const values = isNumber ? [size] : letters.map((letter) => letter.repeat(size));
  return values.map((value) => {
    const text = JSON.stringify(value);
    return text.length > 8 ? `${text.slice(0, 4)}… of ${[...String(value)].length}` : text;
  });
}

/** The tables in an interface's texts, by file, line and header. */
function tablesOf(name: string): string[] {
  return globSync([`spec/${name}/**/*.yaml`, `spec/${name}/*.md`], { cwd: root }).flatMap((file) => {
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    return lines.flatMap((line, index) => {
      const header = lines[index - 1]?.trim().slice(1, -1).split("|");
      if (!/^\s*\|(-+\|)+\s*$/.test(line) || header === undefined) return [];
      return `${file}:${index} ${header.map((cell) => cell.trim()).join(" | ")}`;
    });
  });
}

/** A value as vitest puts it into a name. */
function shown(text: string): string {
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…`;
}

/** The same of a name that is a value as a whole, behind what it is in. */
function shownAtEnd(name: string): string {
  const [group = "", title = ""] = name.split(" > ");
  return `${group} > ${shown(title)}`;
}

/** The tests that a run should have had and did not. @param ran the names of the tests of a file; undefined where it did not run */
export function missingTests(
  expected: ExpectedTests,
  ran: (file: string) => readonly string[] | undefined,
): string[] {
  return [...expected].flatMap(([file, names]) => {
    const found = ran(file);
    if (found === undefined) return [];
    const there = new Set(found);
    return names
      .filter((name) => !there.has(name))
      .map((name) => `${file} lacks a test that the documents call for: ${name}`);
  });
}

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Contract, INTERFACES, type Operation, openContract } from "../contract.ts";
import { openSpec } from "../fuzz/spec.ts";

/** Names of tests by the file that has to have them, from the project's folder. */
export type ExpectedTests = ReadonlyMap<string, readonly string[]>;

const root = resolve(import.meta.dirname, "../..");
/** vitest shows no more of a value in a test's name. */
const MAX_SHOWN_LENGTH = 40;

/** The tests that the documents call for: one for each interface, operation, answer, example or schema. */
export function expectedTests(): ExpectedTests {
  const all = new Map<string, string[]>();
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

function ofInterface(name: string, contract: Contract): Record<string, string[]> {
  const { operations } = contract;
  const guarded = operations.filter(({ admissions }) => admissions.length > 0);
  const ofEach = (those: readonly Operation[], title: (operationId: string) => string) =>
    those.map(({ operationId }) => title(operationId));
  const answers = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${name} ${operationId} ${status}`),
  );
  return {
    "dredd/dredd.test.ts": [`the live server gives every documented answer of ${name}`],
    "examples.test.ts": [
      ...answers.map((title) => `${shown(title)} has an example of every error code that it allows`),
      ...[...answerExamples(contract), ...requestExamples(contract)].map(
        (title) => `${shown(`${name} ${title}`)} does not contradict itself`,
      ),
    ],
    "prism/prism.test.ts": [
      ...answerExamples(contract).map(
        (title) => `the mock of the ${name} interface > answers ${shown(title)}`,
      ),
      ...ofEach(guarded, (id) => `the mock of the ${name} interface > asks for a key at ${shown(id)}`),
      `the mock of ${name} can make up answers that keep to the contract`,
    ],
    "fuzz/fuzz.test.ts": [
      ...ofEach(operations, (id) => `requests made from the documents > ${name} ${id} valid`),
      ...ofEach(guarded, (id) => `requests made from the documents > ${name} ${id} broken`),
    ].map(shownAtEnd),
    "fuzz/values.test.ts": Object.keys(openSpec(name).named).map(
      (schema) => `the schemas of ${name} > ${schema}: values fit, and violations do not`,
    ),
    "error-codes/error-codes.test.ts": ofEach(
      operations,
      (id) => `every error code of ${name} comes over HTTP with its status: > ${shown(`${name} ${id}`)}`,
    ),
    "boundaries/boundaries.test.ts": ofEach(
      operations,
      (id) => `the X-Request-Id of ${shown(`${name} ${id}`)} may be as long as its pattern says`,
    ),
    "change/find-changes.test.ts": [`the document of ${name} has no changes against itself`],
  };
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

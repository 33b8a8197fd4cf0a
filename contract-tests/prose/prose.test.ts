import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { releasesOf } from "../../server/http/docs/changes.ts";
import { createRateLimit } from "../../server/http/rate-limit.ts";
import { SCOPES } from "../../server/keys/api-key.ts";
import { errorAnswersOf } from "../../spec/tools/error-table.ts";
import { follow, type Json } from "../../spec/tools/follow.ts";
import { INTERFACES, openContract } from "../contract.ts";
import { startThrowingService } from "../error-codes/throwing-service.ts";
import { codeIn } from "../fuzz/expectations.ts";
import { type Facts, repeatsTheDocument, TABLE_RULES, transitions } from "./facts.ts";
import { unknownNames } from "./names.ts";
import { amountOf, quantitiesIn } from "./quantities.ts";
import { MISSING_NUMBERS, OTHER_NUMBERS, SAID_NUMBERS } from "./sentences.ts";
import { codesIn, tablesIn } from "./tables.ts";

// What the texts of spec/ say again is compared with what says it first: the documents and the code.

const root = resolve(import.meta.dirname, "../..");
const documents: Readonly<Record<string, Json>> = Object.fromEntries(
  INTERFACES.map((name) => [name, JSON.parse(read(`generated/${name}/openapi.json`))]),
);
const texts = INTERFACES.flatMap((name) =>
  globSync([`spec/${name}/**/*.yaml`, `spec/${name}/*.md`], { cwd: root })
    .sort()
    .map((file) => ({ name, file, text: read(file) })),
);

/** What people read who use the interfaces or run the shop. */
const MANUALS = ["README.md", "client/README.md", "server/operator/README.md", "spec/*/**/*.{yaml,md}"];

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const facts = new Map<string, Facts>();
beforeAll(async () => {
  const service = await startThrowingService({ caller: null, thrown: new Error() }, createRateLimit(null));
  afterAll(() => service.close());
  for (const name of INTERFACES) {
    const { basePath, operations } = openContract(name);
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${service.url}${basePath}${path}`, { method });
      return `${answer.status} ${codeIn(await answer.text())}`;
    };
    const { path = "" } = operations.find((operation) => !operation.path.includes("{")) ?? {};
    const document = documents[name];
    facts.set(name, {
      document,
      ofOperations: pairsOf(document),
      ofNoOperation: new Set([await ask("GET", "/no-such-path"), await ask("DELETE", path)]),
    });
  }
});

function pairsOf(document: Json): Set<string> {
  return new Set(
    errorAnswersOf(document).flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`)),
  );
}

function factsOf(name: string): Facts {
  const found = facts.get(name);
  if (found === undefined) throw new Error(`Nothing is known of ${name}.`);
  return found;
}

describe("every table says what the document says:", () => {
  const tables = texts.flatMap(({ name, file, text }) =>
    tablesIn(text).map(
      (table) => [`${file}:${table.line} ${table.header.join(" | ")}`, name, file, table] as const,
    ),
  );

  test.each(tables)("%s", (_, name, file, table) => {
    const rule = TABLE_RULES[table.header.join(" | ")];
    if (rule === undefined && !repeatsTheDocument(table, factsOf(name))) return;
    if (rule === undefined)
      return expect.fail(
        `${file}:${table.line} is compared with nothing: say with what in contract-tests/prose/facts.ts.`,
      );
    const faults = rule(table, factsOf(name)).map(({ line, fault }) => `${file}:${line} ${fault}`);
    expect(faults).toEqual([]);
  });

  test("there are tables", () => expect(tables.length).toBeGreaterThan(5));
});

test("an error code that a text names with a status has that status", () => {
  const faults = texts.flatMap(({ name, file, text }) => {
    const { ofOperations, ofNoOperation } = factsOf(name);
    const ownCodes = new Set([...ofOperations, ...ofNoOperation].map((pair) => pair.replace(/^\d+ /, "")));
    const said = [...text.matchAll(/\b([45]\d\d)\s+`([a-z]+(?:_[a-z]+)*)`/g)];
    return said
      .map(([, status, code = ""]) => ({ pair: `${status} ${code}`, code }))
      .filter(({ pair }) => !ofOperations.has(pair) && !ofNoOperation.has(pair))
      .map(
        ({ pair, code }) =>
          `${file} says ${pair}, ${ownCodes.has(code) ? "which has another status" : "which is no code"}`,
      );
  });
  expect(faults).toEqual([]);
});

test.each(INTERFACES)(
  "every name that a text of %s has in backticks is one of its document",
  (interfaceName) => {
    const own = texts.filter(({ name }) => name === interfaceName);
    expect(unknownNames(documents[interfaceName], own.filter(isProse))).toEqual([]);
  },
);

/** Examples and samples are judged as what they are. */
function isProse({ file }: { readonly file: string }): boolean {
  return !/\/(?:examples|samples)\//.test(file);
}

test("the kinds of keys between which a text lets callers choose may all call the interface", () => {
  const choices = texts.flatMap(({ name, file, text }) =>
    [...text.replaceAll(/\s+/g, " ").matchAll(/of kind `(\w+)`(?: \([^)]*\))? or `(\w+)`/g)].flatMap(
      ([, ...kinds]) => kinds.map((kind) => ({ name, file, kind })),
    ),
  );
  expect(choices.length).toBeGreaterThan(1);
  const wrong = choices.filter(({ name, kind }) => !mayCall(name, kind));
  expect(wrong.map(({ file, kind }) => `${file} names the kind of key ${kind}`)).toEqual([]);
});

/** Whether a key of a kind has a scope of every operation that needs one. */
function mayCall(name: string, kind: string): boolean {
  const own: readonly string[] = Object.entries(SCOPES).find(([known]) => known === kind)?.[1] ?? [];
  return openContract(name).operations.every(
    ({ admissions }) =>
      admissions.length === 0 ||
      admissions.some(({ scopes }) => scopes.every((scope) => own.includes(scope))),
  );
}

test("the operations that need no key are those that the texts name", () => {
  const said = texts.flatMap(({ name, file, text }) =>
    [
      ...text
        .replaceAll(/\s+/g, " ")
        .matchAll(/(?:Every|every) (?:operation|request)[\w ]* (?:but|except) `GET (\S+)`/g),
    ].map(([words, path]) => ({ name, file, words, path })),
  );
  expect(said.length).toBeGreaterThan(1);
  for (const { name, file, words, path } of said) {
    const open = openContract(name).operations.filter(({ admissions }) => admissions.length === 0);
    expect([file, words, path]).toEqual([file, words, open.map((operation) => operation.path).join()]);
  }
});

test.each(INTERFACES)(
  "descriptions of %s name the scopes and the order of lists that operations have",
  (name) => {
    const operations = openContract(name).operations.map((operation) => {
      const { description = "" } = documents[name].paths[operation.path][operation.method.toLowerCase()];
      const scopes = operation.admissions.flatMap((admission) => admission.scopes);
      return { operation, scopes, text: description.replaceAll(/\s+/g, " ") };
    });
    const wrong = operations.flatMap(({ operation, scopes, text }) => [
      ...[...text.matchAll(/Needs the scope `([^`]+)`/g)]
        .filter(([, scope = ""]) => !scopes.includes(scope))
        .map(([, scope]) => `${operation.operationId} does not need ${scope}`),
      // What every list keeps to is in contract-tests/interfaces/<name>/invariants.ts.
      ...[...text.matchAll(/\b(\w+) first\b/g)]
        .filter(([, which]) => which === "oldest")
        .map(() => `${operation.operationId} lists the newest first`),
    ]);
    expect(wrong).toEqual([]);
  },
);

test("times are told in the unit that their values have", () => {
  const wrong = texts
    .filter(({ text }) => /^maximum: 253402300799$/m.test(text) || /\n {4}maximum: 253402300799\n/.test(text))
    .filter(({ text }) => /milli/i.test(text) || !/whole seconds/.test(text))
    .map(({ file }) => `${file} has a time in whole seconds, and does not say so`);
  expect(wrong).toEqual([]);
});

test("the description of an answer names no error code of another", () => {
  const faults = INTERFACES.flatMap((name) => {
    const document = documents[name];
    const codes = new Set([...pairsOf(document)].map((pair) => pair.replace(/^\d+ /, "")));
    return errorAnswersOf(document).flatMap(({ place, codes: own }) => {
      const named = codesIn(follow(document, responseAt(document, place)).description);
      const others = named.filter((code) => codes.has(code) && !own.includes(code));
      return others.map((code) => `${name} ${place} speaks of ${code}, which it cannot have`);
    });
  });
  expect(faults).toEqual([]);
});

/** @param place such as `GET /orders 404` */
function responseAt(document: Json, place: string): Json {
  const [method = "", path = "", status = ""] = place.split(" ");
  return document.paths[path][method.toLowerCase()].responses[status];
}

test("the changelog tells of every version in the words that the guide finds, the newest first", () => {
  const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
  for (const name of INTERFACES) {
    const told = headings.filter((heading) => heading.toLowerCase().startsWith(`${name} `));
    const versions = releasesOf(name, read("CHANGELOG.md")).map(({ version }) => version);
    expect(
      versions.map((version) => expect.stringMatching(new RegExp(`^${name} ${version}(?: \\(.*\\))?$`))),
      `headings of ${name} in CHANGELOG.md are written "## ${name} 1.2.3 (2030-01-31)"`,
    ).toEqual(told);
    if (told.length > 0) expect(versions).toContain(documents[name].info.version);
    expect(versions).toEqual(
      versions.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true })),
    );
  }
  const others = headings.filter((heading) => !INTERFACES.some((name) => heading.startsWith(`${name} `)));
  expect(others, "headings of CHANGELOG.md begin with the name of an interface").toEqual(["For operators"]);
});

test("the diagram of an order's states has the moves of the service", () => {
  const diagram = /```mermaid\n(.*?)```/s.exec(read("spec/ordering/README.md"))?.[1] ?? "";
  const moves = [...diagram.matchAll(/^ *(\S+) --> (\w+)/gm)].map(([, from, to]) => `${from} -> ${to}`);
  const told = moves.map((move) => move.replace("[*]", "(none)")).sort();
  expect(told).toEqual(transitions());
});

test.each(INTERFACES)("the guide of %s names the kinds of keys that may do its first requests", (name) => {
  const { key = "", variables = [], steps = [] } = documents[name]["x-guide"] ?? {};
  const scopes = openContract(name)
    .operations.filter(({ operationId }) => steps.includes(operationId))
    .flatMap(({ admissions }) => admissions.flatMap((admission) => admission.scopes));
  const kinds = Object.entries<readonly string[]>(SCOPES)
    .filter(([, own]) => scopes.every((scope) => own.includes(scope)))
    .map(([kind]) => kind);
  const said = [key, ...variables.map(({ note = "" }) => note)].map((text) =>
    Object.keys(SCOPES).filter((kind) => new RegExp(`\\b${kind}\\b`).test(text)),
  );
  for (const named of said.filter((each) => each.length > 0)) expect(named.sort()).toEqual(kinds.sort());
});

/** The texts in which numbers are said, each in one line; the code that repeats limits is among them. */
const sayings = globSync(
  [
    ...MANUALS,
    "client/*.ts",
    "server/simulators/supplier/requests.ts",
    "server/suppliers/ordering-adapter.ts",
  ],
  { cwd: root },
)
  .filter((file) => !/\.test\.ts$|\/(?:examples(?!\/errors)|samples)\//.test(file))
  .map((file) => ({ file, text: read(file).replaceAll(/\s+/g, " ") }));

const sentences = SAID_NUMBERS.map((said) => ({ sentence: said.words.source, ...said }));

test.each(sentences)("$sentence says the numbers of what it is about", ({ words, are }) => {
  const said = sayings.flatMap(({ file, text }) =>
    [...text.matchAll(words)].map(([, ...groups]) => [
      file,
      ...groups.filter((group) => group !== undefined),
    ]),
  );
  expect(
    said.length,
    "no text says it any more: take it out of contract-tests/prose/sentences.ts",
  ).toBeGreaterThan(0);
  const expected = are(documents);
  for (const [file = "", ...numbers] of said) {
    const found = numbers.map((number, index) =>
      typeof expected[index] === "number" ? amountOf(number) : number,
    );
    expect([file, ...found]).toEqual([file, ...expected]);
  }
});

test("the numbers that texts repeat are where they were", () => {
  expect(MISSING_NUMBERS).toEqual([]);
});

test("no number with a unit stands in a text unless it is compared with something", () => {
  const known = [...SAID_NUMBERS.map(({ words }) => words), ...OTHER_NUMBERS.map(([words]) => words)];
  const unknown = sayings
    .filter(({ file }) => !file.endsWith(".ts") && !file.includes("/examples/"))
    .flatMap(({ file, text }) => {
      const compared = known.flatMap((words) =>
        [...text.matchAll(words)].map(({ 0: match, index }) => [index, index + match.length] as const),
      );
      return quantitiesIn(text)
        .filter((index) => !compared.some(([start, end]) => start <= index && index < end))
        .map((index) => `${file}: …${text.slice(Math.max(0, index - 50), index + 50)}…`);
    });
  expect(unknown, "say in contract-tests/prose/sentences.ts what these numbers repeat").toEqual([]);
});

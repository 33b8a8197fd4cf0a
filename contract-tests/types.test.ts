import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typesOf } from "../spec/tools/generate.ts";
import { INTERFACES, openContract } from "./contract.ts";
import { interfaceUnderTest } from "./interface-under-test.ts";
import type { PlantedEdit } from "./planted-edit.ts";
import { copyProject, type ProjectCopy } from "./self-test/project-copy.ts";

const root = resolve(import.meta.dirname, "..");

let copy: ProjectCopy;
beforeAll(() => {
  copy = copyProject();
  const config = {
    extends: "./tsconfig.json",
    include: ["server", "client"],
    // The web pages have a configuration of their own.
    exclude: ["server/**/*.test.ts", "client/console"],
  };
  writeFileSync(join(copy.folder, "tsconfig.types.json"), JSON.stringify(config));
});
afterAll(() => copy.remove());

/**
 * Compiles the server, its test equipment, the client and the client's tests as `npm run check` does, with other types in
 * the place of generated ones.
 * @returns the errors, each with its own file: `server/interfaces/ordering/convert-order.ts(3,7): …`.
 */
async function compile(replaced: readonly (readonly [file: string, text: string])[]): Promise<string[]> {
  for (const [file, text] of replaced) writeFileSync(join(copy.folder, file), text);
  // What does not import the types is compiled once.
  const incremental = ["--incremental", "--tsBuildInfoFile", "types.tsbuildinfo"];
  const { output } = await copy.compile("--project", "tsconfig.types.json", ...incremental);
  return output.split(/\n(?! )/).filter((line) => line !== "");
}

/** The generated types of an interface after an edit of its document. */
async function typesAfter(name: string, edit: PlantedEdit["edit"]): Promise<[string, string]> {
  const document = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
  edit(document);
  return [`generated/${name}/types.ts`, await typesOf(document as OpenAPI3)];
}

/** The errors that edits of the spec bring; without any there are none, or the check of types fails. */
async function errorsAfter(...types: Promise<[string, string]>[]): Promise<string[]> {
  return compile(await Promise.all(types));
}

const plants = await Promise.all(
  INTERFACES.map(async (name) => ({ name, planted: (await interfaceUnderTest(name)).plantedEdit })),
);

describe("a change of the spec that the code does not follow does not compile:", () => {
  let errors: string[];
  // Compiling takes seconds, so all that is planted is compiled at once.
  beforeAll(async () => {
    const types = plants.flatMap(({ name, planted }) => (planted ? [typesAfter(name, planted.edit)] : []));
    errors = await errorsAfter(...types);
  });

  test.each(plants.flatMap(({ planted }) => planted?.errors ?? []))("%s (%s)", (_, file, text) => {
    expect(errors).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${file}[(].*${text}`, "s"))]),
    );
  });
});

test("an optional field that comes to every schema compiles at once", async () => {
  const types = INTERFACES.map((name) =>
    typesAfter(name, ({ components: { schemas } }) => {
      for (const { properties } of Object.values<{ properties?: Record<string, unknown> }>(schemas))
        if (properties) properties.colour = { type: "string" };
    }),
  );
  expect(await errorsAfter(...types)).toEqual([]);
});

const RENAMED = "_renamed";

/** What a document lets a request of one operation say, and where the service has to read it. */
interface Input {
  readonly title: string;
  readonly input: string;
  /** The source of a regular expression. */
  readonly file: string;
}

const ignored = new Set(
  (await Promise.all(INTERFACES.map(interfaceUnderTest))).flatMap(({ ignoredInputs }, index) =>
    Object.keys(ignoredInputs).map((input) => `${INTERFACES[index]} ${input}`),
  ),
);

/** Every parameter of an operation, and every field of its body. One that passes requests on reads none by itself. */
function inputsOf(name: string): Input[] {
  const { schemas } = readDocument(name).components;
  return openContract(name).operations.flatMap(({ operationId, parameters, requestBody }) => {
    const folder = `server/interfaces/${name}`;
    const file = `${folder}/${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
    if (readFileSync(join(root, file), "utf8").includes("rawOperation(")) return [];
    const reference = requestBody?.content["application/json"]?.schema.$ref ?? "";
    const fields = Object.keys(schemas[reference.replace(/.*\//, "")]?.properties ?? {});
    return [
      ...parameters.map((parameter) => ({
        title: `${name} ${operationId} ${parameter.in} ${parameter.name}`,
        input: parameter.name,
        file,
      })),
      ...fields.map((field) => ({
        title: `${name} ${operationId} body ${field}`,
        input: field,
        file: `${folder}/[a-z-]+`,
      })),
    ];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: documents are reached into without types.
function readDocument(name: string): any {
  return JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
}

/** Gives everything that a request may say another name. */
const renameInputs: PlantedEdit["edit"] = ({ components: { parameters = {}, schemas }, paths }) => {
  const rename = (parameter: { name?: string }) => {
    if (parameter.name !== undefined) parameter.name += RENAMED;
  };
  Object.values<object>(parameters).forEach(rename);
  for (const item of Object.values<PathItem>(paths)) {
    for (const { parameters: own = [], requestBody } of [item, ...Object.values<PathItem>(item as never)]) {
      own.forEach(rename);
      const reference = requestBody?.content?.["application/json"]?.schema.$ref ?? "";
      const body = schemas[reference.replace(/.*\//, "")];
      if (body !== undefined) body.properties = renameKeys(body.properties);
    }
  }
};

/** The part of a path, or of an operation, that is renamed. */
interface PathItem {
  readonly parameters?: readonly object[];
  readonly requestBody?: { content?: Record<string, { schema: { $ref?: string } }> };
}

function renameKeys(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field + RENAMED, schema]));
}

describe("the service reads everything that a request may say:", () => {
  let errors: string[];
  beforeAll(async () => {
    errors = await errorsAfter(...INTERFACES.map((name) => typesAfter(name, renameInputs)));
  });

  const isRead = ({ file, input }: Input) =>
    errors.some((error) => new RegExp(`^${file}.*'${input}'`, "s").test(error));

  test.each(INTERFACES.flatMap(inputsOf).filter(({ title }) => !ignored.has(title)))("$title", (input) => {
    const advice = `${input.file} has to use it, or the interface says in ignoredInputs why not`;
    expect(isRead(input), `The service ignores ${input.title}: ${advice}`).toBe(true);
  });

  test("but for what is said to be ignored", () => {
    const titles = INTERFACES.flatMap(inputsOf).filter((input) => !isRead(input));
    expect(new Set(titles.map(({ title }) => title))).toEqual(ignored);
  });
});

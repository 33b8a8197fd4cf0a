import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { typesOf } from "../spec/tools/generate.ts";
import { INTERFACES } from "./contract.ts";
import { interfaceUnderTest } from "./interface-under-test.ts";
import type { PlantedEdit } from "./planted-edit.ts";

const root = resolve(import.meta.dirname, "..");

/**
 * Compiles the server, its test equipment, the client and the client's tests as `npm run check` does, with other types in
 * the place of generated ones.
 */
function createCompiler() {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const roots = fileNames.filter((file) => {
    const path = relative(root, file);
    return path.startsWith("client/") || (path.startsWith("server/") && !/[.]test[.]/.test(path));
  });
  const host = ts.createCompilerHost(options);
  const sources = new Map<string, ts.SourceFile | undefined>();
  let program: ts.Program | undefined;

  /** The errors with texts in the place of files, each with its own file: `server/interfaces/ordering/convert-order.ts: …`. */
  return (replaced: ReadonlyMap<string, string>): string[] => {
    const getSourceFile: typeof host.getSourceFile = (file, languageVersion) => {
      const text = replaced.get(relative(root, file));
      if (text !== undefined) return ts.createSourceFile(file, text, languageVersion);
      if (!sources.has(file)) sources.set(file, host.getSourceFile(file, languageVersion));
      return sources.get(file);
    };
    program = ts.createProgram(roots, options, { ...host, getSourceFile }, program);
    return program.getSemanticDiagnostics().map(({ file, messageText }) => {
      const place = file ? relative(root, file.fileName) : "";
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  };
}

/** The generated types of an interface after an edit of its document. */
async function typesAfter(name: string, edit: PlantedEdit["edit"]): Promise<[string, string]> {
  const document = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
  edit(document);
  return [`generated/${name}/types.ts`, await typesOf(document as OpenAPI3)];
}

const compile = createCompiler();

/** The errors that edits of the spec bring; without any there are none, or the check of types fails. */
async function errorsAfter(...types: Promise<[string, string]>[]): Promise<string[]> {
  return compile(new Map(await Promise.all(types)));
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
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${file}: .*${text}`, "s"))]),
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

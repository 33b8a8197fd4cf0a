import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { typesOf } from "../scripts/generate.ts";

const root = resolve(import.meta.dirname, "..");

// biome-ignore lint/suspicious/noExplicitAny: plants reach into documents without types.
type Document = any;

/**
 * Compiles the server, its test equipment, the client and the client's tests as `npm run check` does, with other types in the place of
 * generated ones.
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

  /** The errors with texts in the place of files, each with its own file: `server/orders/convert.ts: …`. */
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

/** The generated types after an edit of the spec. */
async function typesAfter(name: string, edit: (document: Document) => void): Promise<[string, string]> {
  const document = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
  edit(document);
  return [`generated/${name}/types.ts`, await typesOf(document as OpenAPI3)];
}

function removeField(schema: Document, name: string): void {
  delete schema.properties[name];
  schema.required = schema.required?.filter((other: string) => other !== name);
}

const compile = createCompiler();

/** The errors that edits of the spec bring; without any there are none, or the check of types fails. */
async function errorsAfter(...types: Promise<[string, string]>[]): Promise<string[]> {
  return compile(new Map(await Promise.all(types)));
}

describe("a change of the spec that the code does not follow does not compile:", () => {
  let errors: string[];
  // Compiling takes seconds, so all that is planted is compiled at once.
  beforeAll(async () => {
    const ordering = typesAfter("ordering", ({ components: { schemas }, paths }) => {
      removeField(schemas.Order, "codes");
      removeField(schemas.OrderRequest, "expectedUnitPrice");
      removeField(schemas.Product, "slug");
      removeField(schemas.Availability, "checkedAt");
      schemas.Balance.properties.debt = { type: "string" };
      schemas.Balance.required.push("debt");
      schemas.OrderRequest.properties.note = { type: "string" };
      schemas.OrderRequest.required.push("note");
      schemas.ErrorCode.enum = schemas.ErrorCode.enum.filter((code: string) => code !== "price_changed");
      paths["/top-ups"] = { get: { ...paths["/balance"].get, operationId: "listTopUps" } };
    });
    const proxy = typesAfter("proxy", ({ components: { schemas }, paths }) => {
      removeField(schemas.Account, "rpm_limit");
      delete paths["/v1/ledger"];
    });
    errors = await errorsAfter(ordering, proxy);
  });

  test.each([
    ["a field of orders that goes", "server/orders/convert[.]ts", "'codes' does not exist"],
    ["the same, in the client", "client/[a-z/-]+([.]test)?[.]ts", "'codes'"],
    ["a field of requests that goes", "server/orders/convert[.]ts", "'expectedUnitPrice' does not exist"],
    ["a required field of requests that comes", "client/[a-z/-]+([.]test)?[.]ts", "'note' is missing"],
    ["a field of products that goes", "server/catalog/convert[.]ts", "'slug' does not exist"],
    ["a field of availability that goes", "server/catalog/convert[.]ts", "'checkedAt' does not exist"],
    ["a required field that comes", "server/accounts/[a-z-]+[.]ts", "'debt' is missing"],
    ["an error code that goes", "server/suppliers/purchase-reply[.]ts", "'price_changed' does not exist"],
    ["an operation that comes without a handler", "server/http/ordering-handlers[.]ts", "listTopUps"],
    ["an operation that goes and leaves its handler", "server/http/proxy-handlers[.]ts", "listLedger"],
    ["a field of the AI proxy that goes", "server/[a-z/-]+[.]ts", "'rpm_limit' does not exist"],
  ])("%s (%s)", (_, file, text) => {
    expect(errors).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${file}: .*${text}`, "s"))]),
    );
  });
});

test("an optional field of answers that comes compiles at once", async () => {
  const types = typesAfter("ordering", ({ components: { schemas } }) => {
    schemas.Product.properties.colour = { type: "string" };
  });
  expect(await errorsAfter(types)).toEqual([]);
});

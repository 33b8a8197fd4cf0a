import { createRequire } from "node:module";
import { RequestParameterMutator } from "express-openapi-validator/dist/middlewares/parsers/req.parameter.mutator.js";
import {
  dereferenceParameter,
  normalizeParameter,
} from "express-openapi-validator/dist/middlewares/parsers/util.js";

/** Parameters of these types are taken as they are written. */
const PLAIN_TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "number", "boolean"]);

interface PathPatterns {
  pathToRegexp(path: string, options: object): object;
}

/** What a request is validated by. */
interface ValidatedOperation {
  readonly parameters?: Parameters<typeof dereferenceParameter>[1][];
}

/**
 * Spares the validator what it does anew at every request and what comes to the same each time: it compiles the pattern of each path
 * that it tries, and takes the URL apart for parameters that are not there.
 */
export function shortenValidation(): void {
  const patterns: PathPatterns = createRequire(import.meta.resolve("express-openapi-validator"))(
    "path-to-regexp",
  );
  patterns.pathToRegexp = compiledOnce(patterns.pathToRegexp);
  const { modifyRequest } = RequestParameterMutator.prototype;
  const operations = new WeakMap<object, boolean>();
  RequestParameterMutator.prototype.modifyRequest = function modifyUnlessPlain(req) {
    const operation: ValidatedOperation & object = (req.openapi as { schema: object }).schema;
    const isPlain = operations.get(operation) ?? hasPlainParameters(this, operation);
    operations.set(operation, isPlain);
    if (!isPlain || req.originalUrl.includes("?")) modifyRequest.call(this, req);
  };
}

/** Remembers what comes of every path: those of the documents, none of requests. */
export function compiledOnce(compile: PathPatterns["pathToRegexp"]): PathPatterns["pathToRegexp"] {
  const compiled = new Map<string, object>();
  return (path, options) => {
    const name = JSON.stringify([path, options]);
    const pattern = compiled.get(name) ?? compile(path, options);
    compiled.set(name, pattern);
    return pattern;
  };
}

function hasPlainParameters(
  mutator: RequestParameterMutator,
  { parameters = [] }: ValidatedOperation,
): boolean {
  const { _apiDocs: document, ajv } = mutator as unknown as {
    readonly _apiDocs: Parameters<typeof dereferenceParameter>[0];
    readonly ajv: Parameters<typeof normalizeParameter>[0];
  };
  return parameters.every((one) => {
    const parameter = dereferenceParameter(document, one);
    const { schema } = normalizeParameter(ajv, parameter);
    return parameter.content === undefined && PLAIN_TYPES.has((schema as { type?: unknown }).type);
  });
}

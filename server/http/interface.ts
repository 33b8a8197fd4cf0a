import { readFileSync } from "node:fs";
import {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import * as OpenApiValidator from "express-openapi-validator";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import type { Logger } from "pino";
import type { Services } from "../compose.ts";
import { InvalidInputError, NotFoundError } from "../errors.ts";
import { type AdmissionRules, createSecurityHandler } from "../interfaces/api-key-admission.ts";
import { type BodyRules, bodyReader, plainJson, plainMediaType } from "./body.ts";
import type { ErrorAnswer } from "./fault.ts";
import { decodablePath } from "./path.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { RawHandler, RawInput } from "./raw-operation.ts";
import { contextOf, type RequestContext } from "./request-context.ts";
import { findBracketedName, findLooseNumber, findUnplainText, queryDecodes } from "./text.ts";

/** What every interface is given. */
export interface InterfaceOptions {
  readonly services: Services;
  readonly rateLimit: RateLimit;
  readonly validateResponses: boolean;
  readonly logger: Logger;
}

/** What makes an interface differ from the others. */
export interface InterfaceDefinition {
  /** Its document in `generated/<name>/openapi.json`. */
  readonly name: string;
  /** Whether a path belongs to it, so that it answers also for what is not there. */
  owns(path: string): boolean;
  /** Adapts the document to what the operator has set. */
  adapt?(document: OpenAPIV3.DocumentV3_1): void;
  /** What comes before everything else, such as headers of all answers. */
  readonly first?: RequestHandler;
  readonly body: BodyRules;
  readonly admission: AdmissionRules;
  /** By operationId. */
  readonly handlers: object;
  /** Those that write their answers themselves, by operationId. */
  readonly rawHandlers?: Readonly<Record<string, RawHandler>>;
  toErrorAnswer(thrown: unknown, context: RequestContext): ErrorAnswer;
}

/** A handler whatever its operation: the validator has seen to its input. */
type AnyHandler = (input: object, services: Services) => Promise<unknown>;

/** What the validator leaves on a request. */
interface Matched {
  openapi?: {
    pathParams: Record<string, string>;
    schema: OpenAPIV3.OperationObject & { operationId: string };
  };
}

/** Answers everything that an interface owns, and nothing else. */
export function createInterface(definition: InterfaceDefinition, options: InterfaceOptions): Router {
  const document = loadDocument(definition);
  const basePath = document.servers?.[0]?.url.replace(/\/$/, "");
  if (basePath === undefined) throw new Error(`The document of ${definition.name} names no server.`);

  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, _res, next) => (definition.owns(req.path) ? next() : next("router")));
  if (definition.first) router.use(definition.first);
  router.use(plainJson, decodablePath, plainMediaType);
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // The validator compiles the pattern of every path of its document on every request, so each gets its own one.
    const ownPath = { ...document, paths: { [path]: item } };
    const route = expressPath(basePath, path);
    // It also takes 40 ms to begin with, which is too long for paths that nobody calls.
    const validate = onFirstUse(() => validator(ownPath, definition, options) as RequestHandler[]);
    router.all(route, validate, dispatch(definition, options.services));
  }
  router.use((req) => {
    throw new NotFoundError("path", req.path);
  });
  router.use(answerErrors(definition, options.logger));
  return router;
}

/** `/orders/{id}` in Express's own way of writing it, below the base path. */
function expressPath(basePath: string, path: string): string {
  return basePath + path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function loadDocument({ name, adapt }: InterfaceDefinition): OpenAPIV3.DocumentV3_1 {
  const file = new URL(`../../generated/${name}/openapi.json`, import.meta.url);
  const document: OpenAPIV3.DocumentV3_1 = JSON.parse(readFileSync(file, "utf8"));
  for (const parameter of Object.values(document.components.parameters ?? {})) {
    // Otherwise the validator refuses what URLs may hold unescaped, such as the colon of an id, and empty values that
    // the schema allows.
    Object.assign(parameter, { allowReserved: true, allowEmptyValue: true });
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.post]) {
      // An operation that documents no 400 has nothing to say about a parameter that it does not know.
      if (operation && !documents(operation, 400))
        Object.assign(operation, { "x-eov-allow-unknown-query-parameters": true });
    }
  }
  adapt?.(document);
  return document;
}

function documents({ responses }: OpenAPIV3.OperationObject, status: number): boolean {
  return responses !== undefined && String(status) in responses;
}

function validator(
  apiSpec: OpenAPIV3.DocumentV3_1,
  { admission: rules, body, toErrorAnswer }: InterfaceDefinition,
  { services, rateLimit, validateResponses, logger }: InterfaceOptions,
) {
  const readBody = bodyReader(body);
  const letIn = createSecurityHandler({ keys: services.keys, rateLimit, rules, readBody });
  const schemes = Object.keys(apiSpec.components.securitySchemes ?? {});
  return OpenApiValidator.middleware({
    apiSpec,
    validateApiSpec: false,
    fileUploader: false,
    validateSecurity: { handlers: Object.fromEntries(schemes.map((scheme) => [scheme, letIn])) },
    validateResponses: validateResponses && {
      onError(fault, sent, req) {
        const { res } = req;
        const operationId = (req as Matched).openapi?.schema.operationId;
        const requestId = res && contextOf(res).requestId;
        logger.error({ fault: fault.message, operationId, requestId }, "response breaks the contract");
        if (res === undefined) return;
        const answer = toErrorAnswer(fault, { requestId: "" });
        res.status(answer.status);
        for (const name of Object.keys(sent)) delete sent[name];
        Object.assign(sent, answer.body);
      },
    },
  });
}

/** One handler in place of several that follow each other, which are made when the first request comes. */
function onFirstUse(make: () => readonly RequestHandler[]): RequestHandler {
  let handlers: readonly RequestHandler[] | null = null;
  return (req, res, next) => {
    handlers ??= make();
    const [...steps] = handlers;
    const proceed: NextFunction = (error?: unknown) => {
      const step = error === undefined ? steps.shift() : undefined;
      if (step === undefined) next(error);
      else step(req, res, proceed);
    };
    proceed();
  };
}

/** Hands a validated request to the handler that bears the operation's id. */
function dispatch({ handlers, rawHandlers = {} }: InterfaceDefinition, services: Services): RequestHandler {
  return async (req, res) => {
    const matched = (req as Matched).openapi;
    if (matched === undefined) throw new NotFoundError("path", req.path);
    const { operationId } = matched.schema;
    const context = contextOf(res);
    refuseLooseInput(context, req, matched.schema);
    const rawHandler = rawHandlers[operationId];
    if (rawHandler !== undefined) return rawHandler(rawInputOf(req, res), services);
    refuseUnplainText(req.body, matched.schema);
    const handler = (handlers as Record<string, AnyHandler>)[operationId] as AnyHandler;
    const input = { query: req.query, path: matched.pathParams, body: req.body, caller: context.caller };
    res.json(await handler(input, services));
  };
}

/** Refuses what the validator lets through: undecodable paths and queries, and loosely written numbers. */
function refuseLooseInput(
  { pathFault }: RequestContext,
  { query, originalUrl }: Request,
  operation: OpenAPIV3.OperationObject,
): void {
  if (!documents(operation, 400)) {
    if (pathFault !== undefined) throw new NotFoundError("path", pathFault);
    return;
  }
  if (pathFault !== undefined) throw new InvalidInputError(pathFault);
  if (!queryDecodes(originalUrl))
    throw new InvalidInputError("The query has percent-encoding that is not UTF-8.");
  const bracketed = findBracketedName(originalUrl);
  if (bracketed !== null) throw new InvalidInputError(`Unknown query parameter '${bracketed}'`);
  const loose = findLooseNumber(query, originalUrl);
  if (loose !== null)
    throw new InvalidInputError(`The query parameter ${loose} must be written in plain digits.`);
  refuseUnplainText(query, operation);
}

/** Refuses text that no id can hold. */
function refuseUnplainText(value: unknown, operation: OpenAPIV3.OperationObject): void {
  if (!documents(operation, 400)) return;
  const place = findUnplainText(value);
  if (place !== null) throw new InvalidInputError(`${place} holds a NUL or malformed Unicode.`);
}

function rawInputOf(req: Request, res: Response): RawInput {
  const { caller, bodyBytes, requestId } = contextOf(res);
  if (caller === undefined || bodyBytes === undefined)
    throw new Error("A request that is passed on has no caller or no body.");
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const queryStart = req.originalUrl.indexOf("?");
  return {
    caller,
    requestId,
    headers: req.headers,
    query: queryStart === -1 ? "" : req.originalUrl.slice(queryStart),
    body: bodyBytes,
    json: req.body,
    response: res,
    signal: gone.signal,
  };
}

function answerErrors({ toErrorAnswer }: InterfaceDefinition, logger: Logger): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const context = contextOf(res);
    const answer = toErrorAnswer(error, context);
    // What the domain foresees is told to the caller; only the rest is for people to look into.
    if (answer.unforeseen)
      logger.error({ requestId: context.requestId, err: context.refusal ?? error }, "request failed");
    if (res.headersSent) return void res.destroy();
    res.status(answer.status).set(answer.headers).json(answer.body);
  };
}

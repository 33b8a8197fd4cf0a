import { readFileSync } from "node:fs";
import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import type { Logger } from "pino";
import type { Services } from "../compose.ts";
import { InvalidInputError, NotFoundError } from "../errors.ts";
import { createSecurityHandler } from "./authentication.ts";
import { jsonBody, plainJson } from "./json.ts";
import type { OperationHandler, OperationId } from "./operation.ts";
import { toErrorAnswer } from "./ordering-errors.ts";
import { ORDERING_HANDLERS } from "./ordering-handlers.ts";
import { decodablePath } from "./path.ts";
import type { RateLimit } from "./rate-limit.ts";
import { contextOf, type RequestContext } from "./request-context.ts";
import { findLooseNumber, findUnplainText, queryDecodes } from "./text.ts";

const DOCUMENT = new URL("../../generated/ordering/openapi.json", import.meta.url);
const BODY_LIMIT = "64kb";

interface Options {
  services: Services;
  rateLimit: RateLimit;
  validateResponses: boolean;
  logger: Logger;
}

/** What the validator leaves on a request. */
interface Matched {
  openapi?: {
    pathParams: Record<string, string>;
    schema: OpenAPIV3.OperationObject & { operationId: OperationId };
  };
}

/** Answers everything below the ordering interface's base path, and nothing else. */
export function createOrderingInterface(options: Options): Router {
  const document = loadDocument();
  const basePath = document.servers?.[0]?.url;
  if (basePath === undefined) throw new Error("The ordering document names no server.");

  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, _res, next) => (req.path.startsWith(`${basePath}/`) ? next() : next("router")));
  router.use(plainJson, decodablePath, jsonBody(BODY_LIMIT));
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // The validator compiles the pattern of every path of its document on every request, so each gets its own one.
    const ownPath = { ...document, paths: { [path]: item } };
    router.all(expressPath(basePath, path), validator(ownPath, options), dispatch(options.services));
  }
  router.use((req) => {
    throw new NotFoundError("path", req.path);
  });
  router.use(answerErrors(options.logger));
  return router;
}

/** `/orders/{id}` in Express's own way of writing it, below the base path. */
function expressPath(basePath: string, path: string): string {
  return basePath + path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function loadDocument(): OpenAPIV3.DocumentV3_1 {
  const document: OpenAPIV3.DocumentV3_1 = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  for (const parameter of Object.values(document.components.parameters ?? {})) {
    // Otherwise the validator refuses what URLs may hold unescaped, such as the colon of an id.
    Object.assign(parameter, { allowReserved: true });
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.post]) {
      // An operation that documents no 400 has nothing to say about a parameter that it does not know.
      if (operation && !documents(operation, 400))
        Object.assign(operation, { "x-eov-allow-unknown-query-parameters": true });
    }
  }
  return document;
}

function documents({ responses }: OpenAPIV3.OperationObject, status: number): boolean {
  return responses !== undefined && String(status) in responses;
}

function validator(
  apiSpec: OpenAPIV3.DocumentV3_1,
  { services, rateLimit, validateResponses, logger }: Options,
) {
  return OpenApiValidator.middleware({
    apiSpec,
    validateApiSpec: false,
    fileUploader: false,
    validateSecurity: { handlers: { apiKey: createSecurityHandler({ keys: services.keys, rateLimit }) } },
    validateResponses: validateResponses && {
      onError(fault, body, req) {
        logger.error(
          { fault: fault.message, operationId: (req as Matched).openapi?.schema.operationId },
          "response breaks the contract",
        );
        if (req.res === undefined) return;
        const answer = toErrorAnswer(fault, { requestId: "" });
        req.res.status(answer.status);
        for (const name of Object.keys(body)) delete body[name];
        Object.assign(body, answer.body);
      },
    },
  });
}

/** Hands a validated request to the handler that bears the operation's id. */
function dispatch(services: Services): RequestHandler {
  return async (req, res) => {
    const matched = (req as Matched).openapi;
    if (matched === undefined) throw new NotFoundError("path", req.path);
    const context = contextOf(res);
    refuseLooseInput(context, req, matched.schema);
    const handler = ORDERING_HANDLERS[matched.schema.operationId] as OperationHandler<OperationId>;
    const input = { query: req.query, path: matched.pathParams, body: req.body, caller: context.caller };
    res.json(await handler(input as never, services));
  };
}

/** Refuses what the validator lets through: undecodable paths, loosely written numbers, text that no id can hold. */
function refuseLooseInput(
  { pathFault }: RequestContext,
  { query, body, originalUrl }: Request,
  operation: OpenAPIV3.OperationObject,
): void {
  if (!documents(operation, 400)) {
    if (pathFault !== undefined) throw new NotFoundError("path", pathFault);
    return;
  }
  if (pathFault !== undefined) throw new InvalidInputError(pathFault);
  if (!queryDecodes(originalUrl))
    throw new InvalidInputError("The query has percent-encoding that is not UTF-8.");
  const loose = findLooseNumber(query, originalUrl);
  if (loose !== null)
    throw new InvalidInputError(`The query parameter ${loose} must be written in plain digits.`);
  const place = findUnplainText(query) ?? findUnplainText(body);
  if (place !== null) throw new InvalidInputError(`${place} holds a NUL or malformed Unicode.`);
}

function answerErrors(logger: Logger): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const context = contextOf(res);
    const answer = toErrorAnswer(error, context);
    // What the domain foresees is told to the caller; only the rest is for people to look into.
    if (answer.body.error === "server_error")
      logger.error({ requestId: context.requestId, err: context.refusal ?? error }, "request failed");
    if (res.headersSent) return void res.destroy();
    res.status(answer.status).set(answer.headers).json(answer.body);
  };
}

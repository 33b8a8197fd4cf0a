import type { Request, RequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import documentJudges from "express-openapi-validator/dist/framework/openapi.schema.validator.js";
import { createSecurityHandler } from "./admission.ts";
import { documentOfPath, type OpenApiDocument } from "./document.ts";
import { inSequence } from "./in-sequence.ts";
import type { InterfaceDefinition, InterfaceOptions } from "./interface-definition.ts";
import { contextOf, type RequestValidation } from "./request-context.ts";
import { shortenValidation } from "./shorter-validation.ts";

// Every validator would compile the schema of all OpenAPI documents, to judge its own with it, also when it is told not to
// judge it. That is most of the time that making one takes, and no request may be answered meanwhile.
Object.assign(documentJudges, {
  OpenAPISchemaValidator: class {
    validate(): never {
      throw new Error("Documents are judged when they are made: `npm run spec:check`.");
    }
  },
});

shortenValidation();

/** The handlers of each document by path, and by whether they look at answers. */
const madeOf = new WeakMap<OpenApiDocument, Map<string, RequestHandler>>();

/**
 * Makes the validator of one path of a document; `readBody` reads the body of a request that is let in.
 *
 * The validator tries the pattern of every path of its document on every request, so each path gets its own one. It
 * also takes a while to begin with, the longer the more its document holds, which is too long for paths that no client
 * calls: it is made when the first request comes. Services of one process that have a document in common share it: what it
 * leaves to them is in the context of each request.
 */
export function validatorOf(
  document: OpenApiDocument,
  path: string,
  readBody: Parameters<typeof createSecurityHandler>[1],
  { admit, toErrorAnswer }: Pick<InterfaceDefinition<never>, "admit" | "toErrorAnswer">,
  { validateResponses, logger }: InterfaceOptions,
): RequestHandler {
  const handler = sharedHandler(document, path, validateResponses);
  const letIn = createSecurityHandler(admit, readBody);
  return (req, res, next) => {
    const context = contextOf(res);
    context.validation = {
      letIn,
      answerFault(fault) {
        const { operation, requestId } = context;
        const operationId = operation?.operationId;
        logger.error({ fault: fault.message, operationId, requestId }, "response breaks the contract");
        return toErrorAnswer(fault, { requestId: "" });
      },
    };
    handler(req, res, next);
  };
}

function sharedHandler(document: OpenApiDocument, path: string, validateResponses: boolean): RequestHandler {
  const made = madeOf.get(document) ?? new Map<string, RequestHandler>();
  madeOf.set(document, made);
  const name = `${validateResponses} ${path}`;
  const handler = made.get(name) ?? lazyHandlers(() => makeHandlers(document, path, validateResponses));
  made.set(name, handler);
  return handler;
}

function makeHandlers(document: OpenApiDocument, path: string, validateResponses: boolean): RequestHandler[] {
  return OpenApiValidator.middleware({
    apiSpec: documentOfPath(document, path),
    validateApiSpec: false,
    fileUploader: false,
    validateSecurity: { handlers: { key: letIn } },
    validateResponses: validateResponses && { onError: replaceAnswer },
  }).map(unlessJudged);
}

/** The validator's own name for the step that holds a request against its schemas. */
const REQUEST_STEP = "requestMiddleware";

/** A body that holds many values was judged in a thread, with all else of its request. */
function unlessJudged(step: RequestHandler): RequestHandler {
  if (step.name !== REQUEST_STEP) return step;
  return (req, res, next) => {
    const { judgement } = contextOf(res);
    if (judgement === undefined) return step(req, res, next);
    if (judgement.kind === "breaks the contract") next(judgement.fault);
    else next();
  };
}

const bodyValidators = new WeakMap<OpenApiDocument, Map<string, RequestHandler>>();

/** The validator of one path for requests that have been let in already, in another thread. */
export function bodyValidatorOf(document: OpenApiDocument, path: string): RequestHandler {
  const made = bodyValidators.get(document) ?? new Map<string, RequestHandler>();
  bodyValidators.set(document, made);
  const options = { apiSpec: documentOfPath(document, path), validateApiSpec: false, fileUploader: false };
  const handler =
    made.get(path) ??
    lazyHandlers(() => OpenApiValidator.middleware({ ...options, validateSecurity: false }));
  made.set(path, handler);
  return handler;
}

async function letIn(req: Request, scopes: string[]): Promise<boolean> {
  return validationOf(req).letIn(req, scopes);
}

function replaceAnswer(fault: Error, sent: Record<string, unknown>, req: Request): void {
  const answer = validationOf(req).answerFault(fault);
  req.res?.status(answer.status);
  for (const name of Object.keys(sent)) delete sent[name];
  Object.assign(sent, answer.body);
}

function validationOf({ res }: Request): RequestValidation {
  const validation = res && contextOf(res).validation;
  if (validation === undefined) throw new Error("A request has come past its validator.");
  return validation;
}

/** One handler in place of several that follow each other, which are made when the first request comes. */
function lazyHandlers(make: () => readonly RequestHandler[]): RequestHandler {
  let handler: RequestHandler | null = null;
  return (req, res, next) => {
    handler ??= inSequence(make());
    return handler(req, res, next);
  };
}

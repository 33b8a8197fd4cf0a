import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { Logger } from "pino";
import { type DomainError, NotFoundError } from "../errors.ts";
import { type BodyReader, createBodyReader } from "./body.ts";
import { createBodyJudge } from "./body-judge.ts";
import { allowOrigins } from "./cors.ts";
import {
  adaptToValidator,
  answerHeadersOf,
  basePathOf,
  documentedBasesOf,
  type Listener,
  listenerOf,
  type Operation,
  operationsAt,
  pathsOf,
} from "./document.ts";
import { StoppingError, UnknownPathError } from "./errors.ts";
import type { ErrorAnswer, ToErrorAnswer } from "./fault.ts";
import { answerHead } from "./head.ts";
import { inSequence } from "./in-sequence.ts";
import type { ExtraHeaders, InterfaceDefinition, InterfaceOptions } from "./interface-definition.ts";
import { type OperationRun, runnerOf } from "./operation-run.ts";
import { makePathDecodable, readPath } from "./path.ts";
import { plainJson } from "./plain-json.ts";
import { contextOf } from "./request-context.ts";
import { answerBeforeBody, hasUnreadBody } from "./unread-body.ts";
import { validatorOf } from "./validator.ts";

/** An interface that answers whatever it is asked. */
export interface Interface {
  readonly name: string;
  /** On which port it is served, and on no other. */
  readonly listener: Listener;
  /** Below this is everything that it documents; "" where that is the root. */
  readonly basePath: string;
  /** What the paths of its document begin with, such as `/shop/v1`. */
  readonly documentedBases: readonly string[];
  readonly router: Router;
  /** How it answers what went wrong with a request that does not reach its router. */
  answerUnread(thrown: unknown, requestId: string): ErrorAnswer;
}

/** What is done about the requests to one operation. */
interface Prepared {
  readonly operation: Operation;
  readonly body: BodyReader;
  readonly run: OperationRun;
}

/** Makes an interface of its definition. */
export function createInterface<Services>(
  definition: InterfaceDefinition<Services>,
  options: InterfaceOptions,
): Interface {
  const { name, document, extraHeaders, toErrorAnswer, corsOrigins = [] } = definition;
  const {
    toOwnPath = (path) => path,
    toOwnHeader = (header) => header,
    unknownPath = () => null,
  } = definition;
  const basePath = basePathOf(document);
  const documentedBases = documentedBasesOf(document);
  adaptToValidator(document);
  const router = Router({ caseSensitive: true, strict: true });
  const cors = allowOrigins(corsOrigins, answerHeadersOf(document).map(toOwnHeader));
  router.use(
    inSequence([
      ...(extraHeaders ? [setHeaders(extraHeaders)] : []),
      ...(corsOrigins.length > 0 ? [cors] : []),
      ...[plainJson, readPath(toOwnPath), answerHead, makePathDecodable],
    ]),
  );
  for (const path of pathsOf(document)) {
    const prepared = prepare(definition, options, path);
    const readBody = (req: Request, res: Response) => of(prepared, req).body.read(req, res);
    const validate = validatorOf(document, path, readBody, definition, options);
    router.all(
      expressPath(basePath, path),
      announce(prepared, unknownPath, definition),
      validate,
      dispatch(prepared),
    );
  }
  router.use((req, res) => {
    throw unknownPath(req.path) ?? new UnknownPathError(req.path, contextOf(res).documentedBases ?? []);
  });
  router.use(answerErrors(toErrorAnswer, options.logger));
  return {
    name,
    listener: listenerOf(document),
    basePath,
    documentedBases,
    router,
    answerUnread(thrown, requestId) {
      const answer = toErrorAnswer(thrown, { requestId });
      return { ...answer, headers: { ...extraHeaders?.(requestId), ...answer.headers } };
    },
  };
}

/** `/orders/{id}` in Express's own way of writing it, below the base path. */
function expressPath(basePath: string, path: string): string {
  return basePath + path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function prepare<Services>(
  {
    document,
    handlers,
    services,
    bodyLimits,
    name,
    admitLargeBody,
    judgingThread,
    earlyField,
    workAs,
  }: InterfaceDefinition<Services>,
  { bodyMemory: memory, logger }: InterfaceOptions,
  path: string,
): ReadonlyMap<string, Prepared> {
  const threadJudge = judgingThread && createBodyJudge(judgingThread, logger);
  const operations = [...operationsAt(document, path)].map(([method, operation]) => {
    const handler = handlers[operation.operationId];
    if (handler === undefined) throw new Error(`${name} has no handler of ${operation.operationId}.`);
    const keepsBytes = "handleRaw" in handler;
    // What a handler takes parsed has to be parsed here.
    const judge = keepsBytes ? threadJudge : undefined;
    const options = { keepsBytes, memory, admitLargeBody, judge, earlyField, documentedPath: path };
    const body = createBodyReader(operation, bodyLimits, options);
    return [method, { operation, body, run: runnerOf(operation, handler, services, workAs) }] as const;
  });
  return new Map(operations);
}

function of(prepared: ReadonlyMap<string, Prepared>, { method, path }: Request): Prepared {
  const found = prepared.get(method);
  if (found === undefined) throw new NotFoundError("path", path);
  return found;
}

/** Notes which operation a request is for; the body of one that needs no admission is read at once. */
function announce(
  prepared: ReadonlyMap<string, Prepared>,
  unknownPath: (path: string) => DomainError | null,
  { checkOrigin, strangerOf }: Pick<InterfaceDefinition<never>, "checkOrigin" | "strangerOf">,
): RequestHandler {
  return (req, res, next) => {
    const found = prepared.get(req.method);
    // The validator answers what the path does not know.
    if (found === undefined) return next();
    const { operation, body } = found;
    const context = contextOf(res);
    context.operation = operation;
    if (!operation.refusesInput) context.nothingAtPath = () => unknownPath(req.path);
    body.announce(req, context);
    checkOrigin?.(req);
    if (operation.isOpen && strangerOf !== undefined) context.principal = strangerOf(req);
    // Balances, codes and prompts are for their caller alone, whatever stands between.
    if (!operation.isOpen || checkOrigin !== undefined) res.setHeader("Cache-Control", "no-store");
    if (operation.isOpen && context.isTooLate) throw new StoppingError();
    if (operation.isOpen && operation.body !== null) body.read(req, res).then(() => next(), next);
    else next();
  };
}

/** Hands a validated request to its operation. */
function dispatch(prepared: ReadonlyMap<string, Prepared>): RequestHandler {
  return (req, res) => of(prepared, req).run(req, res);
}

function setHeaders(extraHeaders: ExtraHeaders): RequestHandler {
  return (_req, res, next) => {
    for (const [name, value] of Object.entries(extraHeaders(contextOf(res).requestId)))
      res.setHeader(name, value);
    next();
  };
}

function answerErrors(toErrorAnswer: ToErrorAnswer, logger: Logger): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const context = contextOf(res);
    const answer = toErrorAnswer(error, context);
    // A domain error is told to the caller; only the rest is for operators to look into.
    if (answer.unexpected)
      logger.error({ requestId: context.requestId, err: context.refusal ?? error }, "request failed");
    if (res.headersSent) return void res.destroy();
    res.status(answer.status).set(answer.headers);
    if (hasUnreadBody(req)) answerBeforeBody(req, res, answer.body);
    else res.json(answer.body);
  };
}

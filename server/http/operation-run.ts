import type { Request, Response } from "express";
import { InvalidInputError, NotFoundError } from "../errors.ts";
import { JSON_MEDIA_TYPE, MadeAnswer, makeAnswer, sendAnswer } from "./answer.ts";
import { beforeDeadline, DEADLINE_MS } from "./deadline.ts";
import type { Operation } from "./document.ts";
import { BadRequestError } from "./errors.ts";
import type { WorkAs } from "./interface-definition.ts";
import type { OperationHandler } from "./operation.ts";
import { rawInputOf } from "./raw-operation.ts";
import { contextOf, type RequestContext } from "./request-context.ts";
import { findBracketedName, findMalformedText, findNonDecimalNumber, queryDecodes } from "./text.ts";

/** Answers a validated request. */
export type OperationRun = (req: Request, res: Response) => Promise<void>;

/** What the validator leaves on a request. */
interface Matched {
  openapi?: { pathParams: Record<string, string> };
}

const NO_HEADERS = {};

/** Makes what answers the validated requests to an operation, with its handler. */
export function runnerOf<Services>(
  operation: Operation,
  handler: OperationHandler<string, Services>,
  services: Services,
  workAs: WorkAs = (_principal, _requestId, work) => work(),
): OperationRun {
  if ("handleRaw" in handler) {
    return (req, res) => {
      const context = contextOf(res);
      refuseUnreadableBody(context);
      refuseUncheckedInput(context, req, operation);
      return handler.handleRaw(rawInputOf(req, res) as never, services);
    };
  }
  const { answers, headers } = operation;
  const plainIsJson = answers.get(200)?.[0] === JSON_MEDIA_TYPE;
  const headersOf = headers.length === 0 ? () => NO_HEADERS : headerPicker(headers);
  return async (req, res) => {
    const context = contextOf(res);
    const { openapi } = req as Matched;
    if (openapi === undefined) throw new NotFoundError("path", req.path);
    refuseUnreadableBody(context);
    refuseUncheckedInput(context, req, operation);
    refuseMalformedText(req.body, operation);
    const input = {
      query: req.query,
      path: openapi.pathParams,
      headers: headersOf(req),
      body: context.bodyText ?? req.body,
      principal: context.principal,
    };
    const work = () => handler.handle(input as never, services, makeAnswer as never);
    const answering = workAs(context.principal, context.requestId, work);
    // A body that is read while it comes takes as long as its sender does.
    const { deadlineMs = context.bodyText === undefined ? DEADLINE_MS : null } = handler;
    const given = await beforeDeadline(answering, deadlineMs, context.waiting);
    if (given instanceof MadeAnswer) await sendAnswer(res, given, answers.get(given.status)?.[0]);
    else if (plainIsJson) res.json(given);
    else await sendAnswer(res, makeAnswer(200, given), answers.get(200)?.[0]);
  };
}

/** Makes what gives the documented headers of a request by their documented names. */
function headerPicker(names: readonly string[]): (req: Request) => Record<string, unknown> {
  const pairs = names.map((name) => [name, name.toLowerCase()] as const);
  return ({ headers }) => {
    const picked: Record<string, unknown> = {};
    for (const [name, key] of pairs) if (headers[key] !== undefined) picked[name] = headers[key];
    return picked;
  };
}

/** Refuses what the validator lets through where the document asks nothing of the body. */
function refuseUnreadableBody({ bodyFault }: RequestContext): void {
  if (bodyFault !== undefined) throw new BadRequestError(bodyFault);
}

/** Refuses what the validator lets through: undecodable paths and queries, and loosely written numbers. */
function refuseUncheckedInput(
  { pathFault }: RequestContext,
  { query, originalUrl }: Request,
  operation: Operation,
): void {
  if (pathFault !== undefined) throw new InvalidInputError(pathFault);
  if (!operation.refusesInput) return;
  if (!queryDecodes(originalUrl))
    throw new InvalidInputError("The query has percent-encoding that is not UTF-8.");
  const bracketed = operation.ignoresUnknownQuery ? null : findBracketedName(originalUrl);
  if (bracketed !== null) throw new InvalidInputError(`Unknown query parameter '${bracketed}'`);
  const loose = findNonDecimalNumber(query, originalUrl);
  if (loose !== null)
    throw new InvalidInputError(`The query parameter ${loose} must be written in plain digits.`);
  refuseMalformedText(query, operation);
}

/** Refuses text that no id can hold. */
function refuseMalformedText(value: unknown, { refusesInput }: Operation): void {
  if (!refusesInput) return;
  const place = findMalformedText(value);
  if (place !== null) throw new InvalidInputError(`${place} holds a NUL or malformed Unicode.`);
}

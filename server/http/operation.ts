import type { Answer, AnswerFunction, PlainBody, StreamedText } from "./answer.ts";
import type { RawInput } from "./raw-operation.ts";

type Parameters<Operation, Place extends "query" | "path" | "header"> = Operation extends {
  parameters: { [P in Place]?: infer Given };
}
  ? Exclude<Given, undefined>
  : never;

/** JSON comes parsed and whole, any other media type as a stream of text. */
type BodyOf<Content> = {
  [MediaType in keyof Content]: MediaType extends "application/json" ? Content[MediaType] : StreamedText;
}[keyof Content];

type Body<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? BodyOf<Content>
  : Operation extends { requestBody?: never }
    ? undefined
    : Operation extends { requestBody?: { content: infer Content } }
      ? BodyOf<Content> | undefined
      : undefined;

/** A request that the contract allows. The principal is there wherever the contract knows a 401, and of strangers. */
export interface OperationInput<Operation, Principal, IsOpen = false> {
  readonly query: Parameters<Operation, "query">;
  readonly path: Parameters<Operation, "path">;
  /** The documented headers, by their documented names. */
  readonly headers: Parameters<Operation, "header">;
  readonly body: Body<Operation>;
  readonly principal: IsOpen extends true
    ? Principal
    : Operation extends { responses: { 401: unknown } }
      ? Principal
      : undefined;
}

/**
 * Answers one operation: with the body of its 200 where that is its only success, else with what `answer` makes of a
 * status, a body and headers. Every other outcome is thrown as a domain error.
 */
type Handle<Operation, Principal, Services, CommonHeader, IsOpen> = (
  input: OperationInput<Operation, Principal, IsOpen>,
  services: Services,
  answer: AnswerFunction<Operation, CommonHeader>,
) => Promise<Answer<Operation> | PlainBody<Operation, CommonHeader>>;

/** What else there is to say of a handler. */
interface HandlerOptions {
  /** How long the caller is kept waiting; null: as long as the handler takes. When not given, 10 s,
   *  or for as long as a body that is read while it comes. */
  readonly deadlineMs?: number | null;
}

/** The handler of an operation, as the engine takes it: what the validator has seen to is not typed any more. */
export type OperationHandler<Id, Services> = { readonly operationId: Id } & (
  | ({
      readonly handle: (input: never, services: Services, answer: never) => Promise<unknown>;
    } & HandlerOptions)
  | { readonly handleRaw: (input: never, services: Services) => Promise<void> }
);

/** A handler for every operation of an interface; one that is missing does not compile. */
export type OperationHandlers<Operations, Services> = {
  readonly [Id in keyof Operations]: OperationHandler<Id, Services>;
};

/**
 * Makes the functions that tie an interface's handlers to the types of their operations: what the contract does not have
 * does not compile.
 *
 * - `Operations`: those of the document, as openapi-typescript writes them
 * - `Principal`: what the interface's admission lets in
 * - `Services`: the use cases that its handlers may call
 * - `CommonHeader`: the documented headers that all answers get without their handlers
 * - `OpenOperation`: those that need no admission and look who asks, such as a sign-in
 * - `Stranger`: whom these see in the principal's place; see `strangerOf` of the interface's definition
 */
export function operationsOf<
  Operations,
  Principal,
  Services,
  CommonHeader extends string = "X-Request-Id",
  OpenOperation extends keyof Operations = never,
  Stranger = undefined,
>() {
  return {
    operation: <Id extends keyof Operations>(
      operationId: Id,
      handle: Id extends OpenOperation
        ? Handle<Operations[Id], Stranger, Services, CommonHeader, true>
        : Handle<Operations[Id], Principal, Services, CommonHeader, false>,
      options: HandlerOptions = {},
    ): OperationHandler<Id, Services> => ({ operationId, handle, ...options }),
    /** For an operation that takes the bytes as they came and writes its answer itself. */
    rawOperation: <Id extends keyof Operations>(
      operationId: Id,
      handleRaw: (input: RawInput<Principal>, services: Services) => Promise<void>,
    ): OperationHandler<Id, Services> => ({ operationId, handleRaw }),
  };
}

/** A query parameter that the contract gives a default: the validator has filled it in. */
export function withDefault<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The validator left a query parameter without its default.");
  return value;
}

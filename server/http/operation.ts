import type { operations as OrderingOperations } from "../../generated/ordering/types.ts";
import type { operations as ProxyOperations } from "../../generated/proxy/types.ts";
import type { Services } from "../compose.ts";
import type { Caller } from "../keys/api-key.ts";

/** The operations of every interface; an operationId stands for one operation among them all. */
type Operations = OrderingOperations & ProxyOperations;

type Parameters<Operation, Place extends "query" | "path"> = Operation extends {
  parameters: { [P in Place]?: infer Given };
}
  ? Exclude<Given, undefined>
  : never;
type Body<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Content } };
}
  ? Content
  : undefined;
type Success<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Content } } };
}
  ? Content
  : never;

/** A request that the contract allows. The caller is there wherever the contract knows a 401. */
export interface OperationInput<Operation> {
  readonly query: Parameters<Operation, "query">;
  readonly path: Parameters<Operation, "path">;
  readonly body: Body<Operation>;
  readonly caller: Operation extends { responses: { 401: unknown } } ? Caller : undefined;
}

/** Answers one operation with the body of its 200; every other outcome is thrown as a domain error. */
export type OperationHandler<Operation> = (
  input: OperationInput<Operation>,
  services: Services,
) => Promise<Success<Operation>>;

/** A handler for every operation of an interface; one that is missing does not compile. */
export type OperationHandlers<InterfaceOperations> = {
  readonly [Id in keyof InterfaceOperations]: OperationHandler<InterfaceOperations[Id]>;
};

/** Ties a handler to the types of its operation: what the contract does not have does not compile. */
export function operation<Id extends keyof Operations>(
  _id: Id,
  handler: OperationHandler<Operations[Id]>,
): OperationHandler<Operations[Id]> {
  return handler;
}

/** A query parameter that the contract gives a default: the validator has filled it in. */
export function withDefault<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The validator left a query parameter without its default.");
  return value;
}

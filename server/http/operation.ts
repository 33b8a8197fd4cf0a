import type { operations } from "../../generated/ordering/types.ts";
import type { Services } from "../compose.ts";
import type { Caller } from "../keys/api-key.ts";

export type OperationId = keyof operations;

type Parameters<Id extends OperationId, Place extends "query" | "path"> = Exclude<
  operations[Id]["parameters"][Place],
  undefined
>;
type Body<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { "application/json": infer Content } };
}
  ? Content
  : undefined;
type Success<Id extends OperationId> = operations[Id]["responses"][200]["content"]["application/json"];

/** A request that the contract allows. The caller is there wherever the contract knows a 401. */
export interface OperationInput<Id extends OperationId> {
  readonly query: Parameters<Id, "query">;
  readonly path: Parameters<Id, "path">;
  readonly body: Body<Id>;
  readonly caller: operations[Id]["responses"] extends { 401: unknown } ? Caller : undefined;
}

/** Answers one operation with the body of its 200; every other outcome is thrown as a domain error. */
export type OperationHandler<Id extends OperationId> = (
  input: OperationInput<Id>,
  services: Services,
) => Promise<Success<Id>>;

/** Ties a handler to the types of its operation: what the contract does not have does not compile. */
export function operation<Id extends OperationId>(
  _id: Id,
  handler: OperationHandler<Id>,
): OperationHandler<Id> {
  return handler;
}

/** A query parameter that the contract gives a default: the validator has filled it in. */
export function withDefault<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The validator left a query parameter without its default.");
  return value;
}

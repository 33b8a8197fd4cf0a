import { follow, type Json } from "../../spec/tools/follow.ts";
import { type NamedValue, namedValues } from "./judge-meaning.ts";

/** The operations of a document, each with its place, such as `GET /orders`. */
export function operationsOf(document: Json): { place: string; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => ({ place: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/** A value of a named schema in an example. */
export type ShownValue = NamedValue & { readonly place: string };

/** Every value of a named schema that an example shows, with the place of the example. */
export function shownIn(document: Json): ShownValue[] {
  return operationsOf(document).flatMap(({ place, operation }) =>
    [operation.requestBody, ...Object.values<Json>(operation.responses)].flatMap((part) =>
      Object.values<Json>(follow(document, part)?.content ?? {}).flatMap(({ schema, examples = {} }) =>
        Object.entries<Json>(examples).flatMap(([example, reference]) =>
          namedValues(document.components.schemas, schema, {
            ...{ value: follow(document, reference).value, path: "", within: [] },
          }).map((found) => ({ ...found, place: `${place}, example ${example}` })),
        ),
      ),
    ),
  );
}

/** A document or a part of it, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: documents have been checked against OpenAPI's own schema by the linter.
export type Json = any;

/** What stands at a reference within the document, or the part itself where it is none. */
export function follow(document: Json, part: Json): Json {
  if (typeof part?.$ref !== "string") return part;
  const keys: string[] = part.$ref.slice(2).split("/");
  return follow(
    document,
    keys.reduce((value: Json, key) => value?.[key], document),
  );
}

/** An edit of a generated document, as if the spec had changed and the code had not. */
export interface PlantedEdit {
  // biome-ignore lint/suspicious/noExplicitAny: plants reach into documents without types.
  edit(document: any): void;
  /** What must not compile any more: the file, as the source of a regular expression, and a text of its error. */
  readonly errors: readonly (readonly [what: string, file: string, text: string])[];
}

/** Takes a field out of an object's schema. */
export function removeField(
  schema: { properties: Record<string, unknown>; required?: string[] },
  name: string,
): void {
  delete schema.properties[name];
  if (schema.required) schema.required = schema.required.filter((other) => other !== name);
}

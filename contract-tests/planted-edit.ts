/** An edit of a generated document, as if the spec had changed and the code had not. */
export interface PlantedEdit {
  // biome-ignore lint/suspicious/noExplicitAny: plants reach into documents without types.
  edit(document: any): void;
  /** What must not compile any more: the file, as the source of a regular expression, and a text of its error. */
  readonly errors: readonly (readonly [what: string, file: string, text: string])[];
}

/**
 * Takes a field out of the schema of an object.
 * @throws where it has none: with a version that took it away, the plant has to take another one.
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function removeField(schemas: any, schemaName: string, field: string): void {
  const schema = schemas[schemaName];
  if (schema?.properties?.[field] === undefined)
    throw new Error(
      `There is no ${schemaName}.${field} to take away. Take another field in contract-tests/interfaces/<name>/planted-edit.ts.`,
    );
  delete schema.properties[field];
  if (schema.required) schema.required = schema.required.filter((other: string) => other !== field);
}

import { InvalidInputError } from "../errors.ts";
import { type Known, type KnownFields, REQUEST_FIELDS } from "./known-fields.ts";

type Fields = Readonly<Record<string, unknown>>;

const UNKNOWN = "Extra inputs are not permitted";
const NO_OBJECT = "Input should be a valid dictionary";
/** The type of what need not say its type. */
const USUAL_TYPE = "custom";
const MAX_SHOWN_LENGTH = 100;

/**
 * Lets a request pass that has no other fields than {@link REQUEST_FIELDS}, at any depth; null stands for nothing where a field
 * is known.
 * @throws {InvalidInputError} it has another, or one that is not offered; the message begins with the first one's path.
 */
export function checkFields(request: unknown): void {
  new FieldCheck().checkObject(request as Fields, REQUEST_FIELDS);
}

class FieldCheck {
  readonly #path: (string | number)[] = [];

  checkObject(object: Fields, known: KnownFields): void {
    for (const name in object) {
      this.#path.push(name);
      const field = Object.hasOwn(known, name) ? known[name] : undefined;
      if (field === undefined) throw this.#refusal(UNKNOWN);
      const value = object[name];
      if (value !== null) this.#checkValue(value, field);
      this.#path.pop();
    }
  }

  #checkValue(value: unknown, known: Known): void {
    if (known.kind === "refused") this.#refuse(value, known);
    else if (known.kind === "count") this.#checkCount(value);
    else if (known.kind === "anything") return;
    else if (Array.isArray(value)) this.#checkList(value, known);
    else if (isObject(value)) this.#checkFieldsOf(value, known);
  }

  #checkList(list: readonly unknown[], known: Known): void {
    for (const [index, item] of list.entries()) {
      this.#path.push(index);
      if (isObject(item)) this.#checkFieldsOf(item, known);
      else if (known.kind !== "value") throw this.#refusal(NO_OBJECT);
      else if (Array.isArray(item)) this.#checkList(item, known);
      this.#path.pop();
    }
  }

  #checkFieldsOf(object: Fields, known: Known): void {
    if (known.kind === "fields") this.checkObject(object, known.fields);
    else if (known.kind === "tagged") this.checkObject(object, this.#fieldsByType(object, known.types));
    else this.checkObject(object, {});
  }

  #fieldsByType({ type }: Fields, types: Readonly<Record<string, KnownFields>>): KnownFields {
    const tag = type ?? (Object.hasOwn(types, USUAL_TYPE) ? USUAL_TYPE : null);
    if (typeof tag !== "string") throw this.#refusal("Unable to extract tag using discriminator 'type'");
    const fields = Object.hasOwn(types, tag) ? types[tag] : undefined;
    if (fields !== undefined) return fields;
    const shown = tag.slice(0, MAX_SHOWN_LENGTH);
    throw this.#refusal(`Input tag '${shown}' found using 'type' does not match any of the expected tags`);
  }

  #checkCount(value: unknown): void {
    if (!Number.isInteger(value)) throw this.#refusal("Input should be a valid integer");
    if ((value as number) < 0) throw this.#refusal("Input should be greater than or equal to 0");
  }

  // A list of nothing asks for nothing.
  #refuse(value: unknown, { why, error: Refusal }: Known & { readonly kind: "refused" }): void {
    if (Array.isArray(value) && value.length === 0) return;
    throw new Refusal(`${this.#field()}: Not offered by this shop: ${why}.`);
  }

  #refusal(reason: string): InvalidInputError {
    return new InvalidInputError(`${this.#field()}: ${reason}`);
  }

  #field(): string {
    return this.#path.map((key) => String(key).slice(0, MAX_SHOWN_LENGTH)).join(".");
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

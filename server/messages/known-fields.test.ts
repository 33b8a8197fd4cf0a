import { expect, test } from "vitest";
import { type SdkObject, sdkObjectsIn } from "../testing/vendor-sdk-types.ts";
import { type Known, type KnownFields, REQUEST_FIELDS } from "./known-fields.ts";

/** What a request may name, and what an answer has: programs send the blocks of answers back. */
const REQUESTS = ["MessageCreateParamsBase", "MessageCountTokensParams"];
const ANSWERS = ["Message"];

/** The contract has them, and models of the vendor's older SDKs take them. */
const OLDER = ["request.temperature", "request.top_p", "request.top_k"];

/** Compares the table with the vendor's types, and notes which of its fields those have. */
class Comparison {
  readonly unknown = new Set<string>();
  readonly #met = new Map<KnownFields, Set<string>>();
  readonly #compared = new Map<Known | KnownFields, Set<SdkObject>>();

  compareObject(object: SdkObject, known: KnownFields, path: string): void {
    if (this.#isDone(object, known)) return;
    const met = this.#met.get(known) ?? new Set();
    this.#met.set(known, met);
    for (const { name, objects, isFree } of object.fields()) {
      const field = Object.hasOwn(known, name) ? known[name] : undefined;
      if (field === undefined) this.unknown.add(`${path}.${name}`);
      else {
        met.add(name);
        this.#compareValue(objects, isFree, field, `${path}.${name}`);
      }
    }
  }

  /** One field of an object whose others are not sent. */
  compareField(object: SdkObject, name: string, known: KnownFields, path: string): void {
    const compared = { ...object, fields: () => object.fields().filter((field) => field.name === name) };
    this.compareObject(compared, known, path);
  }

  #compareValue(objects: readonly SdkObject[], isFree: boolean, known: Known, path: string): void {
    if (known.kind === "anything" || known.kind === "refused") return;
    if (isFree) this.unknown.add(`${path}: it may be anything`);
    for (const object of objects) {
      if (known.kind === "fields") this.compareObject(object, known.fields, path);
      else if (known.kind === "tagged") this.#compareTagged(object, known.types, path);
      else this.unknown.add(`${path}: it may be ${object.name}`);
    }
  }

  #compareTagged(object: SdkObject, types: Readonly<Record<string, KnownFields>>, path: string): void {
    for (const type of object.types()) {
      const known = Object.hasOwn(types, type) ? types[type] : undefined;
      if (known === undefined) this.unknown.add(`${path}[${type}]`);
      else this.compareObject(object, known, `${path}[${type}]`);
    }
  }

  #isDone(object: SdkObject, known: KnownFields): boolean {
    const done = this.#compared.get(known) ?? new Set();
    this.#compared.set(known, done);
    return done.size === done.add(object).size;
  }

  /** Fields of the table that no type has. */
  notMet(known: KnownFields, path: string, seen = new Set<KnownFields>()): string[] {
    if (seen.has(known)) return [];
    seen.add(known);
    return Object.entries(known).flatMap(([name, field]) => [
      ...(this.#met.get(known)?.has(name) ? [] : [`${path}.${name}`]),
      ...this.#notMetIn(field, `${path}.${name}`, seen),
    ]);
  }

  #notMetIn(known: Known, path: string, seen: Set<KnownFields>): string[] {
    if (known.kind === "fields") return this.notMet(known.fields, path, seen);
    if (known.kind !== "tagged") return [];
    return Object.entries(known.types).flatMap(([type, fields]) =>
      this.notMet(fields, `${path}[${type}]`, seen),
    );
  }
}

test("every field that the vendor's SDK documents is known, and no other", () => {
  const comparison = new Comparison();
  for (const object of sdkObjectsIn(REQUESTS)) comparison.compareObject(object, REQUEST_FIELDS, "request");
  const messages = REQUEST_FIELDS.messages?.kind === "fields" ? REQUEST_FIELDS.messages.fields : {};
  for (const answer of sdkObjectsIn(ANSWERS)) comparison.compareField(answer, "content", messages, "answer");
  // An update of the SDK has something new. Find out what it costs, and whether it names what the vendor keeps, before it is
  // put into the table.
  expect([...comparison.unknown]).toEqual([]);
  expect(comparison.notMet(REQUEST_FIELDS, "request")).toEqual(OLDER);
});

import { describe, expect, test } from "vitest";
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

/** By what a name says that it is an id, or stands for what is kept. */
const ID = /(?:^|_)ids?$|_token$|^(?:container|thread|signature|encrypted_\w+)$/;
/** Ids that nothing at the vendor is looked up by: they say which part of one conversation belongs to which. */
const OF_THE_CONVERSATION = {
  id: "of a tool's use",
  tool_use_id: "of a tool's result",
  tool_id: "of the tool's use that called another",
  tab_id: "of a browser's, at the caller",
  download_id: "of a browser's, at the caller",
  user_id: "the caller's own, for the vendor's defence against abuse",
};
/** What the vendor itself has written and signed, whole: it is what it says, and nothing is looked up by it. */
const SEALED = new Set(["signature", "encrypted_content", "encrypted_index", "encrypted_stdout"]);
/** What answers have: a request cannot name it, or it is one of the conversation's own. */
const IN_ANSWERS = {
  id: "of the message: `thread` and `diagnostics.previous_message_id` are refused; of a container; of a tool's use",
  container: "refused",
  skill_id: "in `container`, which is refused",
  file_id: "refused wherever it may stand",
  fallback_credit_token: "refused",
  ...{ tool_id: OF_THE_CONVERSATION.tool_id, tool_use_id: OF_THE_CONVERSATION.tool_use_id },
};

describe("every id that the vendor gives", () => {
  test("is refused in a request, or is one of the conversation's own", () => {
    const offered = new Set<string>();
    collectOffered(REQUEST_FIELDS, offered);
    const ids = [...offered].filter((name) => ID.test(name) && !SEALED.has(name));
    expect(ids.toSorted()).toEqual(Object.keys(OF_THE_CONVERSATION).toSorted());
  });

  test("is one of those that are known", () => {
    const given = new Set<string>();
    for (const answer of sdkObjectsIn(ANSWERS)) collectGiven(answer, given);
    const ids = [...given].filter((name) => ID.test(name) && !SEALED.has(name));
    expect(ids.toSorted()).toEqual(Object.keys(IN_ANSWERS).toSorted());
  });
});

/** The names of fields that pass. */
function collectOffered(known: KnownFields, names: Set<string>): void {
  for (const [name, field] of Object.entries(known)) {
    if (field.kind !== "refused") names.add(name);
    if (field.kind === "fields") collectOffered(field.fields, names);
    if (field.kind === "tagged")
      for (const fields of Object.values(field.types)) collectOffered(fields, names);
  }
}

/** The names of all fields of an object of the SDK, at any depth. */
function collectGiven(object: SdkObject, names: Set<string>, seen = new Set<SdkObject>()): void {
  if (seen.has(object)) return;
  seen.add(object);
  for (const { name, objects } of object.fields()) {
    names.add(name);
    for (const inner of objects) collectGiven(inner, names, seen);
  }
}

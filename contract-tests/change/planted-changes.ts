import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "./differences.ts";
import { type Change, findChanges } from "./find-changes.ts";
import type { Effect } from "./judge-schema.ts";

/** A document without types, so that plants can reach into it. */
// biome-ignore lint/suspicious/noExplicitAny: its type would be that of all OpenAPI documents.
export type PlantableDocument = any;

/** What is changed in a document, and how the change is to be judged. */
type Plant = [
  what: string,
  effect: Effect,
  text: string | RegExp,
  plant: (document: PlantableDocument) => void,
];

/** The generated document of an interface. */
export function readDocument(name: string): Json {
  const file = join(import.meta.dirname, "../../generated", name, "openapi.json");
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * What an interface was once, without texts and examples. Changes are planted in it, and not in what is published today, so
 * that a version that takes away what is planted in may come.
 */
export function readExample(name: "ordering" | "proxy"): Json {
  return JSON.parse(readFileSync(join(import.meta.dirname, `example-${name}.json`), "utf8"));
}

/** What is found beside wording, that aside. */
export function changesOf(document: Json, plant: (document: PlantableDocument) => void): Change[] {
  const changed = structuredClone(document);
  plant(changed);
  const changes = findChanges(document, changed);
  const weighty = changes.filter(({ effect }) => effect !== "wording");
  return weighty.length > 0 ? weighty : changes;
}

/** Adds a test for each plant: that it is one change, and judged as it should be. */
export function expectPlants(document: Json, plants: Plant[]): void {
  test.each(plants)("%s", (_, effect, text, plant) => {
    expect(changesOf(document, plant)).toEqual([
      expect.objectContaining({
        effect,
        text: text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text),
      }),
    ]);
  });
}

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typesOf } from "../spec/tools/generate.ts";
import { INTERFACES } from "./contract.ts";
import { interfaceUnderTest } from "./interface-under-test.ts";
import type { PlantedEdit } from "./planted-edit.ts";
import { copyProject, type ProjectCopy } from "./self-test/project-copy.ts";

const root = resolve(import.meta.dirname, "..");

let copy: ProjectCopy;
beforeAll(() => {
  copy = copyProject();
  const config = {
    extends: "./tsconfig.json",
    include: ["server", "client"],
    exclude: ["server/**/*.test.ts"],
  };
  writeFileSync(join(copy.folder, "tsconfig.types.json"), JSON.stringify(config));
});
afterAll(() => copy.remove());

/**
 * Compiles the server, its test equipment, the client and the client's tests as `npm run check` does, with other types in
 * the place of generated ones.
 * @returns the errors, each with its own file: `server/interfaces/ordering/convert-order.ts(3,7): …`.
 */
async function compile(replaced: readonly (readonly [file: string, text: string])[]): Promise<string[]> {
  for (const [file, text] of replaced) writeFileSync(join(copy.folder, file), text);
  const { output } = await copy.run([
    "node_modules/typescript-native/bin/tsc",
    "--project",
    "tsconfig.types.json",
  ]);
  return output.split(/\n(?! )/).filter((line) => line !== "");
}

/** The generated types of an interface after an edit of its document. */
async function typesAfter(name: string, edit: PlantedEdit["edit"]): Promise<[string, string]> {
  const document = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
  edit(document);
  return [`generated/${name}/types.ts`, await typesOf(document as OpenAPI3)];
}

/** The errors that edits of the spec bring; without any there are none, or the check of types fails. */
async function errorsAfter(...types: Promise<[string, string]>[]): Promise<string[]> {
  return compile(await Promise.all(types));
}

const plants = await Promise.all(
  INTERFACES.map(async (name) => ({ name, planted: (await interfaceUnderTest(name)).plantedEdit })),
);

describe("a change of the spec that the code does not follow does not compile:", () => {
  let errors: string[];
  // Compiling takes seconds, so all that is planted is compiled at once.
  beforeAll(async () => {
    const types = plants.flatMap(({ name, planted }) => (planted ? [typesAfter(name, planted.edit)] : []));
    errors = await errorsAfter(...types);
  });

  test.each(plants.flatMap(({ planted }) => planted?.errors ?? []))("%s (%s)", (_, file, text) => {
    expect(errors).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${file}[(].*${text}`, "s"))]),
    );
  });
});

test("an optional field that comes to every schema compiles at once", async () => {
  const types = INTERFACES.map((name) =>
    typesAfter(name, ({ components: { schemas } }) => {
      for (const { properties } of Object.values<{ properties?: Record<string, unknown> }>(schemas))
        if (properties) properties.colour = { type: "string" };
    }),
  );
  expect(await errorsAfter(...types)).toEqual([]);
});

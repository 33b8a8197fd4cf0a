import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { documentOfPath, pathsOf } from "./document.ts";

const root = resolve(import.meta.dirname, "../..");
const documents = globSync("generated/*/openapi-strict.json", { cwd: root }).map((file) =>
  JSON.parse(readFileSync(resolve(root, file), "utf8")),
);
const cases = documents.flatMap((document) => pathsOf(document).map((path) => ({ path, document })));

test.each(cases)(
  "the document of $path alone holds all that it refers to, and no more",
  ({ path, document }) => {
    const alone = documentOfPath(document, path);
    expect(alone.paths).toEqual({ [path]: document.paths[path] });
    const { securitySchemes, ...groups } = alone.components ?? {};
    expect(securitySchemes).toEqual(document.components.securitySchemes);
    const referred = JSON.stringify({ paths: alone.paths, groups }).matchAll(
      /"(#\/components\/\w+\/[\w-]+)/g,
    );
    const held = Object.entries(groups).flatMap(([group, parts]) =>
      Object.entries(parts).map(([name, part]) => {
        expect(part).toEqual(document.components[group][name]);
        return `#/components/${group}/${name}`;
      }),
    );
    expect(new Set(held)).toEqual(new Set([...referred].map(([, reference]) => reference)));
  },
);

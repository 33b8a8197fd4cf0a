import { expect, test } from "vitest";
import { exampleTable } from "./example-table.ts";

test("each operation has a row with its statuses and the names of their examples, in the order of the document", () => {
  const response = (...names: string[]) => ({
    content: { "application/json": { examples: Object.fromEntries(names.map((name) => [name, {}])) } },
  });
  const document = {
    paths: {
      "/things": {
        parameters: [],
        get: {
          operationId: "listThings",
          responses: { 200: response("some", "none"), 404: { $ref: "#/components/responses/Gone" } },
        },
      },
      "/things/{id}": { delete: { operationId: "deleteThing", responses: { 204: {} } } },
    },
    components: { responses: { Gone: response("gone") } },
  };
  expect(exampleTable(document)).toBe(
    [
      "| Operation | Status and examples |",
      "|---|---|",
      "| `listThings` | 200 `some`, `none`; 404 `gone` |",
      "| `deleteThing` | 204 |",
      "",
    ].join("\n"),
  );
});

import { expect, test } from "vitest";
import { withoutMissing } from "./example-body.ts";

test.each([
  ["a field that the answer lacks goes", { a: 1, b: 2 }, { a: 3 }, { a: 1 }],
  [
    "so does one within another, and within a list",
    { a: [{ b: 1, c: 2 }] },
    { a: [{ c: 3 }] },
    { a: [{ c: 2 }] },
  ],
  ["items that the answer lacks go", { a: [1, 2] }, { a: [3] }, { a: [1] }],
  ["what the answer has more of is not added", { a: 1 }, { a: 1, b: 2 }, { a: 1 }],
  ["another type stays, for Dredd to see", { a: { b: 1 } }, { a: [1] }, { a: { b: 1 } }],
  ["null stays", { a: null }, { a: { b: 1 } }, { a: null }],
])("of an example %s", (_, example, answer, compared) => {
  expect(JSON.parse(withoutMissing(JSON.stringify(example), JSON.stringify(answer)))).toEqual(compared);
});

test("an example that is no JSON stays as it is", () => {
  expect(withoutMissing("id,name\n", "id\n")).toBe("id,name\n");
});

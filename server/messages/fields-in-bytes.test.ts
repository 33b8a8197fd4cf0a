import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyOfFields, fieldsIn } from "./fields-in-bytes.ts";

const names = fc.constantFrom("a", "model", 'qu"ote', "back\\slash", "é", "");

test("a body of all fields says the same, however it is written and cut", () => {
  const objects = fc.dictionary(names, fc.jsonValue({ depthSize: "small" }));
  fc.assert(
    fc.property(
      objects,
      fc.constantFrom(undefined, 1, "\t"),
      fc.integer({ min: 1, max: 9 }),
      (object, indent, size) => {
        const bytes = Buffer.from(JSON.stringify(object, null, indent));
        const pieces: Buffer[] = [];
        for (let start = 0; start < bytes.length; start += size)
          pieces.push(bytes.subarray(start, start + size));
        const fields = fieldsIn(bytes).filter(({ name }) => name !== "model");
        const made = bodyOfFields({ pieces }, fields, "m");
        const text = Buffer.concat(made.pieces).toString();
        expect(JSON.parse(text)).toEqual({ ...JSON.parse(bytes.toString()), model: "m" });
        expect(Buffer.byteLength(text)).toBe(made.length);
      },
    ),
  );
});

test("the fields at the top are found with their names, and no others", () => {
  const bytes = Buffer.from(String.raw`{ "a\u0062" : [{"c":"}"},","], "d":"\\\"," ,"e":{}}`);
  const texts = fieldsIn(bytes).map(({ name, start, end }) => [
    name,
    bytes.toString("utf8", start, end).trim(),
  ]);
  expect(texts).toEqual([
    ["ab", String.raw`"a\u0062" : [{"c":"}"},","]`],
    ["d", String.raw`"d":"\\\","`],
    ["e", '"e":{}'],
  ]);
  expect(fieldsIn(Buffer.from("{}"))).toEqual([]);
});

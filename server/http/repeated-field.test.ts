import fc from "fast-check";
import { expect, test } from "vitest";
import { findRepeatedField } from "./repeated-field.ts";

const find = (text: string) => findRepeatedField(Buffer.from(text));

test("an object that JSON.stringify has written repeats no field", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 2, "\t"),
      (value, space) => {
        expect(find(JSON.stringify(value, null, space))).toBeNull();
      },
    ),
  );
});

test("a field that is there once more is found wherever it stands", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, choice) => {
      const names = Object.keys(value);
      const name = names[choice % names.length] as string;
      const text = JSON.stringify(value);
      expect(find(`${text.slice(0, -1)},${JSON.stringify(name)}:1}`)).toBe(name);
      expect(find(`{${JSON.stringify(name)} : 1, ${text.slice(1)}`)).toBe(name);
    }),
  );
});

test.each([
  ["in other letters", String.raw`{"model":"a","mod\u0065l":"b"}`, "model"],
  ["inside another object only", '{"a":{"model":1,"model":2},"model":3}', null],
  ["as a value", '{"a":"model","b":"model","model":"model"}', null],
  ["behind an escaped quote", String.raw`{"a":"\\\"","a":1}`, "a"],
  ["in a list", '{"messages":["model","model",{"model":1}],"model":1}', null],
])("a field is named twice %s", (_how, text, repeated) => {
  expect(find(text)).toBe(repeated);
});

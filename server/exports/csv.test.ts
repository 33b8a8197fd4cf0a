import { expect, test } from "vitest";
import { microcents } from "../money/microcents.ts";
import { csvLine } from "./csv.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["+49 30 1", "'+49 30 1"],
  ["-5", "'-5"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["＝1+1", "'＝1+1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ["a=1", "a=1"],
  ["'=1", "'=1"],
  ['say "hi", twice', '"say ""hi"", twice"'],
  ["two\nlines", '"two\nlines"'],
  ["Schlüssel 🔑", "Schlüssel 🔑"],
  ["", ""],
])("the text %j is the cell %j", (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

test("numbers and amounts stay numbers, and nothing is an empty cell", () => {
  const amounts = [microcents(-350_000_000n), microcents(1n), microcents(0n)];
  expect(csvLine([-1, 0, ...amounts, null, "end"])).toBe("-1,0,-3.50,0.00000001,0.00,,end\r\n");
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventBuffer } from "./event-buffer.ts";

const LARGE = "x".repeat(20_000);

function passAll(buffer: EventBuffer, ...chunks: string[]): string[] {
  return chunks.map((chunk) => buffer.pass(Buffer.from(chunk)).toString());
}

describe("a stream that passes event by event", () => {
  test("lets whole events pass at once", () => {
    const buffer = new EventBuffer();
    expect(passAll(buffer, "data: 1\n\n", "data: 2\n\ndata: 3\r\n\r\n")).toEqual([
      "data: 1\n\n",
      "data: 2\n\ndata: 3\r\n\r\n",
    ]);
    expect(buffer.betweenEvents).toBe(true);
    expect(buffer.rest().length).toBe(0);
  });

  test("keeps the beginning of an event until its end has come", () => {
    const buffer = new EventBuffer();
    expect(passAll(buffer, "data: 1\n\nda", "ta: 2\n", "\n")).toEqual(["data: 1\n\n", "", "data: 2\n\n"]);
    expect(passAll(buffer, "data: 3")).toEqual([""]);
    expect(buffer.betweenEvents).toBe(true);
    expect(buffer.rest().toString()).toBe("data: 3");
  });

  test.each([
    ["\n", "\n"],
    ["\r\n\r", "\n"],
    ["\r\n", "\r\n"],
  ])("lets a large event pass in pieces and knows its end, cut into %j and %j", (first, second) => {
    const buffer = new EventBuffer();
    expect(passAll(buffer, LARGE, "more")).toEqual([LARGE, ""]);
    expect(buffer.betweenEvents).toBe(false);
    expect(passAll(buffer, LARGE + first, `${second}data: 2\n\n`).join("")).toBe(
      `more${LARGE}${first}${second}data: 2\n\n`,
    );
    expect(buffer.betweenEvents).toBe(true);
  });

  test("changes no byte, however they are cut", () => {
    const piece = fc.constantFrom("data: 1\n\n", "event: a\r\ndata: 2\r\n\r\n", "\n", "\r\n", "x", LARGE);
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const buffer = new EventBuffer();
        const passed = passAll(buffer, ...pieces);
        expect(passed.join("") + buffer.rest().toString()).toBe(pieces.join(""));
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventHold } from "./event-hold.ts";

const LARGE = "x".repeat(20_000);

function passAll(hold: EventHold, ...chunks: string[]): string[] {
  return chunks.map((chunk) => hold.pass(Buffer.from(chunk)).toString());
}

describe("a stream that passes event by event", () => {
  test("lets whole events pass at once", () => {
    const hold = new EventHold();
    expect(passAll(hold, "data: 1\n\n", "data: 2\n\ndata: 3\r\n\r\n")).toEqual([
      "data: 1\n\n",
      "data: 2\n\ndata: 3\r\n\r\n",
    ]);
    expect(hold.betweenEvents).toBe(true);
    expect(hold.rest().length).toBe(0);
  });

  test("keeps the beginning of an event until its end has come", () => {
    const hold = new EventHold();
    expect(passAll(hold, "data: 1\n\nda", "ta: 2\n", "\n")).toEqual(["data: 1\n\n", "", "data: 2\n\n"]);
    expect(passAll(hold, "data: 3")).toEqual([""]);
    expect(hold.betweenEvents).toBe(true);
    expect(hold.rest().toString()).toBe("data: 3");
  });

  test.each([
    ["\n", "\n"],
    ["\r\n\r", "\n"],
    ["\r\n", "\r\n"],
  ])("lets a large event pass in pieces and knows its end, cut into %j and %j", (first, second) => {
    const hold = new EventHold();
    expect(passAll(hold, LARGE, "more")).toEqual([LARGE, ""]);
    expect(hold.betweenEvents).toBe(false);
    expect(passAll(hold, LARGE + first, `${second}data: 2\n\n`).join("")).toBe(
      `more${LARGE}${first}${second}data: 2\n\n`,
    );
    expect(hold.betweenEvents).toBe(true);
  });

  test("changes no byte, however they are cut", () => {
    const piece = fc.constantFrom("data: 1\n\n", "event: a\r\ndata: 2\r\n\r\n", "\n", "\r\n", "x", LARGE);
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const hold = new EventHold();
        const passed = passAll(hold, ...pieces);
        expect(passed.join("") + hold.rest().toString()).toBe(pieces.join(""));
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { readLines, UNREADABLE_LINE } from "./line-reader.ts";

async function linesOf(...chunks: (string | Buffer)[]): Promise<string[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  return Array.fromAsync(readLines(stream()));
}

describe("reading lines", () => {
  it("gives the same lines wherever the chunks are cut", async () => {
    const bytes = Buffer.from("\u{FEFF}first\r\nzweite – ü\n\nlast");
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const lines = await linesOf(bytes.subarray(0, cut), bytes.subarray(cut));
      expect(lines).toEqual(["first", "zweite – ü", "", "last"]);
    }
  });

  it("ends the last line with or without a line end", async () => {
    expect(await linesOf("one\ntwo")).toEqual(["one", "two"]);
    expect(await linesOf("one\ntwo\n")).toEqual(["one", "two"]);
    expect(await linesOf("")).toEqual([]);
    expect(await linesOf("\n")).toEqual([""]);
  });

  it("keeps a line of 4,096 bytes and reads past a longer one", async () => {
    const [kept, long] = ["k".repeat(4_096), "l".repeat(4_097)];
    expect(await linesOf(`${kept}\n${long}\nafter\n`)).toEqual([kept, UNREADABLE_LINE, "after"]);
    expect(await linesOf(long)).toEqual([UNREADABLE_LINE]);
  });

  it("does not hold a line that never ends", async () => {
    async function* endless() {
      const chunk = Buffer.alloc(65_536, "x");
      for (let index = 0; index < 2_000; index += 1) yield chunk;
      yield Buffer.from("\nafter");
    }
    const before = process.memoryUsage().arrayBuffers;
    expect(await Array.fromAsync(readLines(endless()))).toEqual([UNREADABLE_LINE, "after"]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it("marks bytes that are no UTF-8, and takes a byte order mark for one at the start only", async () => {
    expect(await linesOf(Buffer.from([0x41, 0xff, 0x42, 0x0a, 0x43]))).toEqual(["A\u{FFFD}B", "C"]);
    expect(await linesOf("\u{FEFF}one\n\u{FEFF}two")).toEqual(["one", "\u{FEFF}two"]);
  });
});

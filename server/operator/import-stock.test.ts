import { describe, expect, it } from "vitest";
import { newId } from "../ids.ts";
import { ImportRunningError } from "../stock/import.ts";
import { importStock } from "./import-stock.ts";

describe("importing while another import runs", () => {
  it("gives up when its patience ends, without having read anything", async () => {
    const written: string[] = [];
    let read = false;
    async function* lines() {
      read = true;
      yield "CODE";
    }
    const attempt = importStock({
      stock: { import: () => Promise.reject(new ImportRunningError(newId("seg"), 5)) },
      productId: "gift",
      source: { lines: lines(), readBytes: () => 0, totalBytes: null, close: async () => {} },
      stderr: { isTTY: false, write: (text: string | Uint8Array) => written.push(String(text)) > 0 },
      maxWaitMs: 30,
    });
    await expect(attempt).rejects.toThrow(/still running \(seg_\w+\); nothing was read/);
    expect(written).toHaveLength(1);
    expect(read).toBe(false);
  });
});

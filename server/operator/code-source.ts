import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readLines } from "./line-reader.ts";
import { unreadableFile } from "./unreadable-file.ts";

/** Where an import's lines come from. Nothing is read before the first line is asked for. */
export interface CodeSource {
  readonly lines: AsyncIterable<string>;
  /** Bytes read so far. */
  readBytes(): number;
  /** Bytes there are; null when that cannot be known. */
  readonly totalBytes: number | null;
  close(): Promise<void>;
}

/** Opens a file, or standard input for `-`. @throws {OperatorError} the file cannot be read. */
export async function openCodeSource(path: string, stdin: Readable): Promise<CodeSource> {
  if (path === "-")
    return source(
      () => stdin,
      null,
      async () => {},
    );
  try {
    const file = await open(path);
    const stats = await file.stat();
    if (stats.isDirectory()) {
      await file.close();
      throw Object.assign(new Error("it is a directory"), { code: "EISDIR" });
    }
    return source(
      () => file.createReadStream({ autoClose: false }),
      stats.isFile() ? stats.size : null,
      () => file.close(),
    );
  } catch (error) {
    throw unreadableFile(
      path,
      error,
      "give the path of a text file with one code a line, or - for standard input.",
    );
  }
}

function source(
  openStream: () => Readable,
  totalBytes: number | null,
  close: () => Promise<void>,
): CodeSource {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of openStream() as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { lines: readLines(counted()), readBytes: () => bytes, totalBytes, close };
}

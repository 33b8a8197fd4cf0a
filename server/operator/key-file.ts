import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { OperatorError } from "./explain-error.ts";
import { unreadableFile } from "./unreadable-file.ts";

const MAX_BYTES = 8_192;
const NEXT_STEP = "give the path of a file that holds the key and nothing else, or - for standard input.";

/**
 * Reads a secret from a file, or from standard input for `-`, so that it stands neither in the shell's history nor in
 * the list of processes. The end of its line is no part of it.
 * @throws {OperatorError} the file cannot be read, or is too large for a key.
 */
export async function readKeyFile(path: string, stdin: Readable): Promise<string> {
  if (path === "-") return readKey(stdin, "Standard input");
  try {
    await using file = await open(path);
    return await readKey(file.createReadStream({ autoClose: false }), `The file ${JSON.stringify(path)}`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw unreadableFile(path, error, NEXT_STEP);
  }
}

async function readKey(stream: AsyncIterable<Buffer>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new OperatorError(`${name} is too large to be an API key.`, NEXT_STEP);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, "");
}

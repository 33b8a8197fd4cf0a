const NEWLINE = 0x0a;
const MAX_LINE_BYTES = 4_096;

/** Stands for a line that is too long to be kept; no code can be this, so an import counts it as invalid. */
export const UNREADABLE_LINE = "\u{FFFD}";

/**
 * The lines of a stream, decoded from UTF-8, without line ends (LF or CRLF) and without a byte order mark. Bytes that
 * are no UTF-8 become replacement characters. Holds one chunk and at most 4 KiB of an unfinished line: a longer line
 * is read past and given as {@link UNREADABLE_LINE}.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let unfinished = Buffer.alloc(0);
  let tooLong = false;
  let first = true;

  function finish(rest: Buffer): string {
    const line = unfinished.length === 0 ? rest : Buffer.concat([unfinished, rest]);
    const text = tooLong || line.length > MAX_LINE_BYTES ? UNREADABLE_LINE : decode(line, first);
    unfinished = Buffer.alloc(0);
    tooLong = false;
    first = false;
    return text;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield finish(chunk.subarray(start, end));
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    tooLong ||= unfinished.length + rest.length > MAX_LINE_BYTES;
    unfinished = tooLong ? Buffer.alloc(0) : Buffer.concat([unfinished, rest]);
  }
  if (tooLong || unfinished.length > 0) yield finish(Buffer.alloc(0));
}

function decode(line: Buffer, first: boolean): string {
  const text = line.toString("utf8").replace(/\r$/, "");
  return first && text.startsWith("\u{FEFF}") ? text.slice(1) : text;
}

import type { IncomingMessage } from "node:http";

/** How much of an answer is read, for how long, and until when. */
interface Limits {
  readonly mostBytes: number;
  /** From one piece to the next. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Reads an answer to its end. @returns null when it breaks off, stalls, is too large, or the signal is aborted. */
export function readBody(
  answer: IncomingMessage,
  { mostBytes, idleMs, signal }: Limits,
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (body: Buffer | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      if (body === null) answer.destroy();
      resolve(body);
    };
    const giveUp = () => settle(null);
    const timer = setTimeout(giveUp, idleMs);
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) return giveUp();
      timer.refresh();
      chunks.push(chunk);
    });
    answer.on("end", () => settle(answer.complete ? Buffer.concat(chunks) : null));
    answer.on("error", giveUp);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
  });
}

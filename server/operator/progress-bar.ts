const WIDTH = 30;

/** One line on a terminal that is written over again and again; nothing where there is no terminal. */
export interface ProgressBar {
  /** `share` is from 0 to 1, or null when it cannot be known. */
  show(share: number | null, text: string): void;
  /** Takes the line away. */
  clear(): void;
}

export function createProgressBar(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">): ProgressBar {
  if (!stream.isTTY) return { show() {}, clear() {} };
  return {
    show(share, text) {
      stream.write(`\r\u{1B}[K${share === null ? "" : `${barOf(share)} `}${text}`);
    },
    clear() {
      stream.write("\r\u{1B}[K");
    },
  };
}

function barOf(share: number): string {
  const filled = Math.round(share * WIDTH);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${percent}%`;
}

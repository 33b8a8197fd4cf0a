import { gzipSync } from "node:zlib";
import type { Rolldown } from "vite";

type Output = Rolldown.RolldownOutput["output"];
type Chunk = Rolldown.OutputChunk;

/** What a browser loads for something, compressed. */
export interface Measure {
  /** Such as `account: first load`. */
  readonly name: string;
  readonly bytes: number;
  readonly maxBytes: number;
}

const MAX_FIRST_LOAD_BYTES = 140 * 1024;
const MAX_PAGE_BYTES = 25 * 1024;

/** What the first load of each entry takes, and what each page takes besides: scripts and styles, by gzip. */
export function measure(output: Output): Measure[] {
  const chunks = new Map(output.filter((one) => one.type === "chunk").map((one) => [one.fileName, one]));
  const files = new Map(output.map((one) => [one.fileName, compressedBytes(one)]));
  const bytesOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (files.get(name) ?? 0), 0);
  return [...chunks.values()]
    .filter(({ isEntry }) => isEntry)
    .flatMap((entry) => {
      const first = loadedWith(entry, chunks);
      const pages = [...chunks.values()].filter(({ isDynamicEntry }) => isDynamicEntry);
      return [
        { name: `${entry.name}: first load`, bytes: bytesOf(first), maxBytes: MAX_FIRST_LOAD_BYTES },
        ...pages.map((page) => ({
          name: `${entry.name}: ${page.name}`,
          bytes: bytesOf(loadedWith(page, chunks).difference(first)),
          maxBytes: MAX_PAGE_BYTES,
        })),
      ];
    });
}

/** The measures as a table of Markdown, in KB. */
export function measureTable(measures: readonly Measure[]): string {
  const rows = measures.map(
    ({ name, bytes, maxBytes }) => `| ${name} | ${inKb(bytes)} | ${inKb(maxBytes)} |`,
  );
  return ["| what | KB | at most |", "|---|---|---|", ...rows].join("\n");
}

function inKb(bytes: number): string {
  return String(Math.ceil((bytes * 10) / 1024) / 10);
}

/** A chunk's file with all that it imports at once, and their styles. */
function loadedWith(
  chunk: Chunk,
  chunks: ReadonlyMap<string, Chunk>,
  known = new Set<string>(),
): Set<string> {
  if (known.has(chunk.fileName)) return known;
  known.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) known.add(style);
  for (const name of chunk.imports) {
    const imported = chunks.get(name);
    if (imported) loadedWith(imported, chunks, known);
  }
  return known;
}

function compressedBytes(file: Output[number]): number {
  return gzipSync(file.type === "chunk" ? file.code : file.source).length;
}

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Representation } from "./representation.ts";

/** A page, or the program of the pages, whose name says its content. */
const FILE = /^[a-z0-9][a-z0-9-]*\.(?:html|js)$/;
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/;

interface ReadFile {
  /** Changes with the file. */
  readonly version: string;
  readonly representation: Promise<Representation>;
}

/** The files that `npm run docs` has made, read again when they are made anew. */
export class RenderedFiles {
  readonly #folder: string;
  readonly #read = new Map<string, ReadFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether the name is one that a file of the documentation may have. */
  static isName(name: string): boolean {
    return FILE.test(name);
  }

  /** @returns null where there is no such file. @param name one that {@link RenderedFiles.isName} */
  async find(name: string): Promise<Representation | null> {
    const file = join(this.#folder, name);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) {
      this.#read.delete(name);
      return null;
    }
    const version = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const known = this.#read.get(name);
    if (known?.version === version) return known.representation;
    const representation = readFile(file, "utf8").then((text) => represent(name, text));
    this.#read.set(name, { version, representation });
    // Whoever waits for it is told; the next one reads it again.
    representation.catch(() => this.#read.delete(name));
    return representation;
  }
}

function represent(name: string, text: string): Representation {
  if (name.endsWith(".js")) {
    return new Representation(text, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  }
  return pageOf(text, "public, no-cache");
}

/** @param policy which scripts and styles the page has; the rest of the service allows none. Else the page says it in its head. */
export function pageOf(
  html: string,
  cacheControl: string,
  policy = POLICY.exec(html)?.[1] ?? "default-src 'none'",
): Representation {
  return new Representation(html, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": cacheControl,
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
  });
}

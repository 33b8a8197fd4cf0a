import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Representation } from "../representation.ts";
import { html } from "./html.ts";

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
  readonly #publicUrl: string;
  readonly #read = new Map<string, ReadFile>();

  /** @param publicUrl where buyers reach the service; null: where each page was asked for */
  constructor(folder: string, publicUrl: string | null) {
    this.#folder = folder;
    this.#publicUrl = publicUrl ?? "";
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
    const representation = readFile(file, "utf8").then((text) => represent(name, text, this.#publicUrl));
    this.#read.set(name, { version, representation });
    // Whoever waits for it is told; the next one reads it again.
    representation.catch(() => this.#read.delete(name));
    return representation;
  }
}

function represent(name: string, text: string, publicUrl: string): Representation {
  if (name.endsWith(".js")) {
    return new Representation(text, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  }
  return pageOf(servedPage(text, publicUrl), "public, no-cache");
}

/**
 * Tells a page's program that the service serves it, and where buyers reach it: it then names the service as the document's
 * server. The page itself is one for all who ask; where no address is set, its program takes that of the page.
 */
function servedPage(text: string, publicUrl: string): string {
  return text.replace("<html", () => html`<html data-service="${publicUrl}"`.html);
}

/** @param policy which scripts and styles the page has; the rest of the service allows none. Else the page says it in its head. */
export function pageOf(
  page: string,
  cacheControl: string,
  policy = POLICY.exec(page)?.[1] ?? "default-src 'none'",
): Representation {
  return new Representation(page, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": cacheControl,
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
  });
}

import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { LRUCache } from "lru-cache";
import { Representation } from "../representation.ts";

/** Where `npm run build` puts the pages. */
const BUILT_FOLDER = join(import.meta.dirname, "../../../.console");

const READING_METHODS = ["GET", "HEAD"];
/** What is in the folder of assets; the hash in a name says what it holds, so that the name is good for ever. */
const ASSET = /^[\w-]+-[\w-]{8}\.(?:js|css|svg)$/;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** More than one build has, and those of the build before. */
const MAX_KEPT = 400;

/** Scripts, styles, pictures and requests of the service itself, and nothing else: nothing inline and no third party. */
const POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "font-src", "connect-src"].map((kind) => `${kind} 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const MISSING = `This page has not been built yet. "npm run build" builds it; "npm start" does so by itself.\n`;

/** A web page of the service. */
interface PagesOptions {
  /** It is served at `/NAME/`. */
  readonly name: string;
  /** Where the pages are built to; one that is built later is served from then on. */
  readonly folder?: string;
}

/**
 * Serves a web page at `/NAME/`. Its programs and styles may be kept for ever, the page itself has to be asked for each time. Below
 * `/NAME/` it answers browsers wherever nothing else is: which of its views is meant, its program reads from the path.
 */
export function createPages({ name, folder = BUILT_FOLDER }: PagesOptions): Router {
  const base = `/${name}`;
  const assets = new LRUCache<string, Representation>({ max: MAX_KEPT });
  const findAsset = async (file: string): Promise<Representation | null> => {
    const known = assets.get(file);
    if (known) return known;
    const bytes = ASSET.test(file) ? await readFile(join(folder, "assets", file)).catch(() => null) : null;
    if (bytes === null) return null;
    const asset = new Representation(bytes, {
      "Content-Type": MEDIA_TYPES[extname(file)] ?? "application/octet-stream",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
    assets.set(file, asset);
    return asset;
  };
  const sendPage = async (req: Request, res: Response) => {
    const html = await readFile(join(folder, name, "index.html"), "utf8").catch(() => null);
    if (html === null)
      return void res.status(503).set("Cache-Control", "no-store").type("text").send(MISSING);
    const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" };
    return new Representation(html, {
      ...headers,
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "no-referrer",
    }).send(req, res);
  };

  const router = Router({ caseSensitive: true, strict: true });
  // Without parameters: the router decodes those, and answers by itself where they cannot be decoded.
  const anyAsset = new RegExp(`^${base}/assets/[^/]+$`);
  router.all(anyAsset, refuseOtherMethods);
  router.get(anyAsset, async ({ path }, res) => {
    const asset = await findAsset(basename(path));
    if (asset) return asset.send(res.req, res);
    res.status(404).set("Cache-Control", "no-store").end();
  });
  router.all(`${base}/`, refuseOtherMethods);
  router.get(`${base}/`, sendPage);
  // No route: a router answers OPTIONS of whatever path one of its routes has, also where an interface is to answer.
  router.use((req, res, next) => {
    if (!READING_METHODS.includes(req.method) || !isBrowser(req)) return next();
    if (req.path === base) return res.redirect(`${name}/`);
    return req.path.startsWith(`${base}/`) && !isOfAnInterface(req, base) ? sendPage(req, res) : next();
  });
  return router;
}

/** Whether a person looks: programs that ask for anything, or for JSON, are answered as by an interface. */
function isBrowser(req: Request): boolean {
  return req.accepts(["application/json", "text/html"]) === "text/html";
}

/** Whether the path is that of a version of an interface, such as `/account/v1/session`. */
function isOfAnInterface({ path }: Request, base: string): boolean {
  return /^\/v\d+(?:\/|$)/.test(path.slice(base.length));
}

const refuseOtherMethods: RequestHandler = (req, res, next) => {
  if (READING_METHODS.includes(req.method)) return next();
  res
    .status(405)
    .set({ Allow: READING_METHODS.join(", "), "Cache-Control": "no-store" })
    .end();
};

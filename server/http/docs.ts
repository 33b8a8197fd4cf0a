import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Response, Router } from "express";

const MISSING = `The documentation is not here. "npm run docs" makes it; "npm start" does so by itself where the
development packages are installed, within seconds.
`;

/**
 * Serves the pages that `npm run docs` has made, at /docs.
 * @param folder where they are; a page that is made later is served from then on
 */
export function createDocs(folder = join(import.meta.dirname, "../../.docs")): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/docs", (_req, res) => res.redirect("docs/"));
  router.get("/docs/", (_req, res) => sendPage(res, join(folder, "index.html")));
  router.get("/docs/:page", ({ params: { page } }, res, next) => {
    if (/^[a-z-]+\.html$/.test(page)) return sendPage(res, join(folder, page));
    next();
  });
  return router;
}

async function sendPage(res: Response, file: string): Promise<void> {
  const html = await readFile(file, "utf8").catch(() => null);
  if (html === null) return void res.status(404).type("text").send(MISSING);
  // A page says itself which scripts are its own; the rest of the service allows none.
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1];
  if (policy !== undefined) res.set("Content-Security-Policy", `${policy}; frame-ancestors 'none'`);
  res.type("html").send(html);
}

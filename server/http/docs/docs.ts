import { join } from "node:path";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { trustedProxies } from "../service-address.ts";
import { type AddressedText, AddressedTexts } from "./addressed-texts.ts";
import { CONTRACT_FILES, type Contract, contractFile } from "./contract-files.ts";
import { guideOf } from "./guide.ts";
import { RenderedFiles } from "./rendered-files.ts";

const MISSING = `This page has not been made yet. "npm run docs" makes it; "npm start" does so by itself where the
development packages are installed, within seconds.
`;

const READING_METHODS = ["GET", "HEAD"];

/** What the documentation is made of. */
export interface Documentation {
  /** In the order in which they are shown. */
  readonly contracts: readonly Contract[];
  /** The project's CHANGELOG.md; null where it is not there. */
  readonly changelog: string | null;
  /** Where buyers reach the service, without a slash at its end; null: where each request has reached it. */
  readonly publicUrl: string | null;
  /** The addresses and networks of proxies whose X-Forwarded-Proto is believed. */
  readonly trustedProxies: readonly string[];
  /** Where `npm run docs` puts the reference pages; one that is made later is served from then on. */
  readonly folder?: string;
  readonly now?: () => number;
}

/**
 * Serves the documentation at /docs: the guide, which it makes itself, the contracts, with the service's own address as
 * their server, and the reference pages that `npm run docs` has made. What a request costs is bounded: everything is made
 * and compressed once, and none of it depends on what the request says but for its Host.
 */
export function createDocs(documentation: Documentation): Router {
  const { contracts, publicUrl, now } = documentation;
  const { folder = join(import.meta.dirname, "../../../.docs") } = documentation;
  const address = publicUrl === null ? null : plainUrl(publicUrl);
  const files = new RenderedFiles(folder, address);
  const texts = new AddressedTexts(address, trustedProxies(documentation.trustedProxies), now);
  const made = new Map<string, AddressedText>();
  const sendText = (req: Request, res: Response, name: string, make: () => AddressedText) => {
    const text = made.get(name) ?? make();
    made.set(name, text);
    return texts.send(req, res, name, text);
  };

  const router = Router({ caseSensitive: true, strict: true });
  router.all(pathsOf(contracts), refuseOtherMethods);
  router.get("/docs", (_req, res) => res.redirect("docs/"));
  router.get(["/docs/", "/docs/index.html"], async (req, res) => {
    const references = await referencesIn(files, contracts);
    const name = `guide with ${[...references].join(" ")}`;
    return sendText(req, res, name, () => guideOf({ ...documentation, references }));
  });
  router.all("/docs/:file", (req, res, next) =>
    RenderedFiles.isName(req.params.file) ? refuseOtherMethods(req, res, next) : next(),
  );
  router.get("/docs/:file", async ({ params: { file } }, res, next) => {
    if (!RenderedFiles.isName(file)) return next();
    const found = await files.find(file);
    if (found) return found.send(res.req, res);
    res.status(404).set("Cache-Control", "no-store").type("text").send(MISSING);
  });
  for (const contract of contracts) {
    router.get(`/docs/${contract.name}`, (_req, res) => res.redirect(`${contract.name}.html`));
    router.get(`/docs/${contract.name}/`, (_req, res) => res.redirect(`../${contract.name}.html`));
    router.get(`/docs/${contract.name}/:file`, (req, res, next) => {
      const { file } = req.params;
      const name = `${contract.name}/${file}`;
      const text = made.get(name) ?? contractFile(contract, file);
      if (text === null) return next();
      return sendText(req, res, name, () => text);
    });
  }
  return router;
}

/** As URLs are written, without a slash at its end: it holds nothing that would end a text of JSON, YAML or HTML. */
function plainUrl(url: string): string {
  return new URL(url).href.replace(/\/$/, "");
}

/** The paths that the service makes itself. */
function pathsOf(contracts: readonly Contract[]): string[] {
  const ofContracts = contracts.flatMap(({ name }) => [
    ...[`/docs/${name}`, `/docs/${name}/`],
    ...CONTRACT_FILES.map((file) => `/docs/${name}/${file}`),
  ]);
  return ["/docs", "/docs/", "/docs/index.html", ...ofContracts];
}

/** Documentation is read and nothing else. */
const refuseOtherMethods: RequestHandler = (req, res, next) => {
  if (READING_METHODS.includes(req.method)) return next();
  res.status(405).set({ Allow: READING_METHODS.join(", "), "Cache-Control": "no-store" });
  res.type("text").send("The documentation can only be read.\n");
};

/** The contracts that have a reference page now, by name. */
async function referencesIn(files: RenderedFiles, contracts: readonly Contract[]): Promise<Set<string>> {
  const found = await Promise.all(contracts.map(({ name }) => files.find(`${name}.html`)));
  return new Set(contracts.filter((_, index) => found[index]).map(({ name }) => name));
}

/**
 * Leads browsers from the root to the page that is for them; programs, which do not ask for HTML, go on.
 * @param page relative to the root, such as `docs/`
 */
export function leadBrowsersTo(page: string): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", (req, res, next) => {
    res.vary("Accept");
    if (req.accepts(["application/json", "text/html"]) !== "text/html") return next();
    res.redirect(page);
  });
  return router;
}

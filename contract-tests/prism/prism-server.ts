import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec, type IHttpConfig } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { openContract } from "../contract.ts";

/** A Prism that listens. */
export interface PrismServer {
  /** `http://host:port`. */
  readonly origin: string;
  /** The path of the interface's base URL; empty where it is the root. */
  readonly basePath: string;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const LOG = createLogger(
  "prism",
  { level: "error" },
  { write: (line) => console.error(JSON.parse(line).msg) },
);
const SILENT = createLogger("prism", { level: "silent" });

/**
 * What `prism mock` does; `dynamic` makes answers up from the schemas instead of returning the examples.
 * @param isQuiet whether what is wrong with requests is not printed
 */
export function startPrismMock(name: string, dynamic: boolean, isQuiet: boolean): Promise<PrismServer> {
  const config = {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    mock: { dynamic },
    upstreamProxy: undefined,
  } as const;
  return start(name, config, { cors: true, logger: isQuiet ? SILENT : LOG });
}

/**
 * What `prism proxy --errors` does, in front of a service: an answer that breaks the contract is replaced by a problem.
 * Requests are not judged, since what a bad one gets is for the service to say, and Prism would not ask it.
 * @param upstream the service, without the base path of the interface
 */
export function startPrismProxy(name: string, upstream: URL): Promise<PrismServer> {
  const config = {
    isProxy: true,
    upstream,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: true,
    errors: true,
    mock: { dynamic: false },
    upstreamProxy: undefined,
  } as const;
  return start(name, config, { cors: false, logger: SILENT });
}

async function start(
  name: string,
  config: IHttpConfig,
  { cors, logger }: { cors: boolean; logger: typeof LOG },
): Promise<PrismServer> {
  const { document, basePath } = readDocument(name);
  const operations = await getHttpOperationsFromSpec(document);
  const server = createServer(operations, { cors, components: { logger }, config });
  const origin = await server.listen(0, HOST);
  return { origin, basePath, close: () => server.close() };
}

/** Prism ignores the path of `servers`, so the paths are given their base here, as a real client sees them. */
function readDocument(name: string) {
  const file = join(import.meta.dirname, "../../generated", name, "openapi-strict.json");
  const document = JSON.parse(readFileSync(file, "utf8"));
  const { basePath } = openContract(name);
  const paths = Object.entries(document.paths).map(([path, item]) => [`${basePath}${path}`, item]);
  return { document: { ...document, paths: Object.fromEntries(paths) }, basePath };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";

const help = `Serves the examples of the ordering interface with Prism, without a database or a key of a real account.

  npm run mock -- [--port 4010] [--dynamic]

  --port N    the port to listen on; 0 takes a free one
  --dynamic   make up answers from the schemas instead of returning the examples`;

const host = "127.0.0.1";

try {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      dynamic: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(help);
  else await serve(Number(values.port), values.dynamic);
} catch (reason) {
  // Prism rejects with a bare text when it cannot listen.
  console.error(`The mock cannot start: ${reason instanceof Error ? reason.message : reason}`);
  process.exitCode = 1;
}

async function serve(port: number, dynamic: boolean): Promise<void> {
  const { document, basePath } = readDocument();
  const log = createLogger(
    "mock",
    { level: "error" },
    { write: (line) => console.error(JSON.parse(line).msg) },
  );
  const server = createServer(await getHttpOperationsFromSpec(document), {
    cors: true,
    components: { logger: log },
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic },
      upstreamProxy: undefined,
    },
  });
  const origin = await server.listen(port, host);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
  console.log(`The mock of the ordering interface is at ${origin}${basePath}

Any key will do, and the header Prefer asks for a status and an example by its name:
  curl ${origin}${basePath}/products -H 'Authorization: Bearer svc_sk_any'
  curl ${origin}${basePath}/orders/any -H 'Authorization: Bearer svc_sk_any' -H 'Prefer: example=refunded'
  curl ${origin}${basePath}/orders -H 'Authorization: Bearer svc_sk_any' -H 'Content-Type: application/json' \\
    -d '{"externalOrderId":"a-1","productId":"chat-plus-1m","qty":2}' -H 'Prefer: code=409, example=price_changed'

The names are in spec/ordering. Ctrl-C stops the mock.`);
}

/** Prism ignores the path of `servers`, so the paths are given their base here, as a real client sees them. */
function readDocument() {
  const file = join(import.meta.dirname, "../generated/ordering/openapi.json");
  const document = JSON.parse(readFileSync(file, "utf8"));
  const basePath: string = document.servers[0].url;
  const paths = Object.entries(document.paths).map(([path, item]) => [`${basePath}${path}`, item]);
  return { document: { ...document, paths: Object.fromEntries(paths) }, basePath };
}

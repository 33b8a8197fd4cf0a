import { parseArgs } from "node:util";
import type { InterfaceName } from "../contract-tests/contract.ts";
import { serveMock } from "../contract-tests/prism/serve-mock.ts";

const help = `Serves the examples of both interfaces with Prism, without a database or a key of a real account.

  npm run mock -- [--port 4010] [--dynamic]

  --port N    the port of the ordering interface; the AI proxy gets the next one; 0 takes two free ones
  --dynamic   make up answers from the schemas instead of returning the examples`;

try {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      dynamic: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(help);
  else await serveAll(Number(values.port), values.dynamic);
} catch (reason) {
  console.error(`The mock cannot start: ${reason instanceof Error ? reason.message : reason}`);
  // What has started already would go on.
  process.exit(1);
}

async function serveAll(port: number, dynamic: boolean): Promise<void> {
  const ordering = await serve("ordering", port, dynamic);
  const proxy = await serve("proxy", port && port + 1, dynamic);
  console.log(`The mock of the ordering interface is at ${ordering}
The mock of the AI proxy is at ${proxy}

Any key will do, and the header Prefer asks for a status and an example by its name:
  curl ${ordering}/products -H 'Authorization: Bearer svc_sk_any'
  curl ${ordering}/orders/any -H 'Authorization: Bearer svc_sk_any' -H 'Prefer: example=refunded'
  curl ${ordering}/orders -H 'Authorization: Bearer svc_sk_any' -H 'Content-Type: application/json' \\
    -d '{"externalOrderId":"a-1","productId":"chat-plus-1m","qty":2}' -H 'Prefer: code=409, example=price_changed'
  curl ${proxy}/v1/messages -H 'x-api-key: svc_sk_any' -H 'Content-Type: application/json' \\
    -d '{"model":"large-1","max_tokens":99,"stream":true,"messages":[{"role":"user","content":"Hello"}]}'

All names are in spec/README.md. Ctrl-C stops the mock.`);
}

/** Serves one interface. @returns its base URL, without a slash at its end. */
async function serve(name: InterfaceName, port: number, dynamic: boolean): Promise<string> {
  const mock = await serveMock(name, port, dynamic);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void mock.close());
  return `${mock.origin}${mock.basePath}`;
}

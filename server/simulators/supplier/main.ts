// `npm run supplier-simulator`: a supplier, or a fault injector in front of one, as a process of its own.
import { parseArgs } from "node:util";
import { CONTROL_PATH } from "./control.ts";
import { startFaultInjector } from "./fault-injector.ts";
import type { FaultKind } from "./faults.ts";
import type { ProductInput } from "./shop.ts";
import { startSupplierSimulator } from "./supplier-simulator.ts";

const help = `Stands in for an outside supplier that speaks the ordering contract, and fails on request.

  npm run supplier-simulator -- [options]                       a supplier, in memory
  npm run supplier-simulator -- inject --target URL [options]   faults in front of a real one

  --port N              the port to listen on (4020); 0 takes a free one
  --json                print one line of JSON: {"url", "controlUrl", "apiKey"}
  --fault-rate R        let this share of the orders go wrong, from 0 to 1
  --fault-kinds A,B     in these ways (cut_after,hang_after,error_after)
  --seed N              make the same codes and the same random faults again

of the supplier:
  --product ID=PRICE[:STOCK]   sell this; without a stock endlessly. As often as there are products
  --key KEY                    the buyer's key; made at random when not given
  --balance USD                what the buyer has; endless when not given
  --latency-ms N               how long a purchase takes

of the fault injector:
  --target URL          the ordering interface behind it, such as http://127.0.0.1:8080/shop/v1

README.md in server/simulators/supplier names the faults and shows how to ask for them while it runs.`;

/** `proxy` is what it was called before. */
const INJECTOR_WORDS = new Set(["inject", "proxy"]);
const DEFAULT_PRODUCTS = ["sim-month=8.00", "sim-year=80.00:25"];
const DEFAULT_FAULTS = "cut_after,hang_after,error_after";

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      port: { type: "string", default: "4020" },
      "fault-rate": { type: "string", default: "0" },
      "fault-kinds": { type: "string", default: DEFAULT_FAULTS },
      seed: { type: "string" },
      product: { type: "string", multiple: true, default: DEFAULT_PRODUCTS },
      key: { type: "string" },
      balance: { type: "string" },
      "latency-ms": { type: "string", default: "0" },
      target: { type: "string" },
    },
  });
  if (values.help) return console.log(help);
  const port = wholeNumber("port", values.port);
  const seed = values.seed === undefined ? {} : { seed: wholeNumber("seed", values.seed) };
  const isInjector = INJECTOR_WORDS.has(positionals[0] ?? "");
  if (positionals.length > (isInjector ? 1 : 0))
    throw new Error(`Unknown: ${positionals.at(-1)}. See --help.`);
  if (isInjector && values.target === undefined) throw new Error("A fault injector needs --target URL.");
  const server = isInjector
    ? await startFaultInjector({ target: values.target ?? "", port })
    : await startSupplierSimulator({
        port,
        ...seed,
        ...(values.key === undefined ? {} : { apiKey: values.key }),
        products: values.product.map(parseProduct),
        balance: values.balance ?? null,
        latencyMs: wholeNumber("latency-ms", values["latency-ms"]),
      });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void server.close());
  const rate = Number(values["fault-rate"]);
  const kinds = values["fault-kinds"].split(",") as FaultKind[];
  if (rate > 0) server.randomFaults({ rate, kinds, ...seed });
  const controlUrl = new URL(CONTROL_PATH, server.url).href;
  const started = { url: server.url, controlUrl, ...("apiKey" in server ? { apiKey: server.apiKey } : {}) };
  console.log(values.json ? JSON.stringify(started) : introduce(started));
}

function introduce({
  url,
  controlUrl,
  apiKey,
}: {
  url: string;
  controlUrl: string;
  apiKey?: string;
}): string {
  return `The ${apiKey ? "supplier simulator" : "fault injector"} is at ${url}

  curl ${url}/products -H 'Authorization: Bearer ${apiKey ?? "KEY"}'
  curl ${controlUrl}/faults -d '{"kind":"cut_after"}'

Ctrl-C stops it.`;
}

function parseProduct(text: string): ProductInput {
  const [, productId, unitPrice, stock] = /^([^=]+)=([\d.]+)(?::(\d+))?$/.exec(text) ?? [];
  if (productId === undefined || unitPrice === undefined) {
    throw new Error(`--product ${text} must be ID=PRICE or ID=PRICE:STOCK, such as sim-month=8.00:50.`);
  }
  return { productId, unitPrice, stock: stock === undefined ? null : Number(stock) };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number.`);
  return Number(text);
}

// `npm run upstream-simulator`: an AI upstream as a process of its own.
import { parseArgs } from "node:util";
import { BEHAVIOUR_NAMES } from "./behaviour.ts";
import { startUpstreamSimulator } from "./upstream-simulator.ts";

const help = `Stands in for an AI vendor: speaks its wire format, answers any model, and fails by the model's name.

  npm run upstream-simulator -- [options]

  --port N     the port to listen on (4030); 0 takes a free one
  --key KEY    the only key that it accepts; made at random when not given
  --json       print one line of JSON: {"url", "apiKey"}

Point a service at it with UPSTREAM_URL and UPSTREAM_API_KEY. Models with a behaviour of their own:
${BEHAVIOUR_NAMES.join(" ")}
README.md in server/simulators/upstream says what each of them does.`;

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      port: { type: "string", default: "4030" },
      key: { type: "string" },
    },
  });
  if (values.help) return console.log(help);
  if (!/^\d{1,5}$/.test(values.port)) throw new Error("--port must be a whole number.");
  const { key } = values;
  const { url, apiKey, close } = await startUpstreamSimulator({
    port: Number(values.port),
    ...(key === undefined ? {} : { apiKey: key }),
    // A process of its own cannot be asked what it remembers.
    remember: false,
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void close());
  console.log(values.json ? JSON.stringify({ url, apiKey }) : introduce(url, apiKey));
}

function introduce(url: string, apiKey: string): string {
  const body = { model: "sim-echo", max_tokens: 100, messages: [{ role: "user", content: "Hello!" }] };
  return `The upstream simulator is at ${url}

  UPSTREAM_URL=${url} UPSTREAM_API_KEY=${apiKey} npm start

  curl -N ${url}/v1/messages -H 'x-api-key: ${apiKey}' -H 'anthropic-version: 2023-06-01' \\
    -d '${JSON.stringify({ ...body, stream: true })}'

Ctrl-C stops it.`;
}

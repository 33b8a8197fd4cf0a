import { parseArgs } from "node:util";
import {
  type Contract,
  headersWith,
  INTERFACES,
  type Operation,
  openContract,
} from "../contract-tests/contract.ts";
import { serveMock } from "../contract-tests/prism/serve-mock.ts";

const help = `Serves the examples of every interface with Prism, without a database or a key of a real account.

  npm run mock -- [--port N] [--dynamic]

  --port N    other ports than those that the documents name (x-mock-port): the first interface gets N, the next
              N + 1; 0 takes free ones
  --dynamic   make up answers from the schemas instead of returning the examples`;

try {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      dynamic: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(help);
  else await serveAll(values.port === undefined ? null : Number(values.port), values.dynamic);
} catch (reason) {
  console.error(`The mock cannot start: ${reason instanceof Error ? reason.message : reason}`);
  // What has started already would go on.
  process.exit(1);
}

/** @param firstPort null takes the ports that the documents name */
async function serveAll(firstPort: number | null, dynamic: boolean): Promise<void> {
  const mocks = INTERFACES.map((name) => ({ name, contract: openContract(name) }));
  mocks.sort((one, other) => one.contract.mockPort - other.contract.mockPort);
  for (const [index, { name, contract }] of mocks.entries()) {
    const port = firstPort === null ? contract.mockPort : firstPort && firstPort + index;
    const url = await serve(name, port, dynamic);
    console.log(`The mock of ${name} is at ${url}\n${samplesOf(contract, url).join("\n")}\n`);
  }
  console.log(`Any key will do, and the header Prefer asks for a status and an example by its name.
All names are in generated/<interface>/examples.md. Ctrl-C stops the mock.`);
}

/** Serves one interface. @returns its base URL, without a slash at its end. */
async function serve(name: string, port: number, dynamic: boolean): Promise<string> {
  const mock = await serveMock(name, port, dynamic);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void mock.close());
  return `${mock.origin}${mock.basePath}`;
}

/** Command lines to begin with: something to read, and something to write with an error for an answer. */
function samplesOf({ operations }: Contract, url: string): string[] {
  const read = operations.find(({ method, path, admissions }) => {
    return method === "GET" && !path.includes("{") && admissions.length > 0;
  });
  const write = operations.find(({ path, requestBody }) => !path.includes("{") && requestBody);
  return [
    ...(read ? [commandLine(read, url)] : []),
    ...(write ? [`${commandLine(write, url)} ${preferenceOf(write)}`] : []),
  ];
}

function commandLine({ method, path, admissions, requestBody }: Operation, url: string): string {
  const [admission] = admissions;
  const [[mediaType, media] = ["", undefined]] = Object.entries(requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const headers = {
    ...(admission && headersWith(admission, "any")),
    ...(example && { "content-type": mediaType }),
  };
  return [
    `  curl -X ${method} ${url}${path}`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(example ? [`-d ${quoted(example.value)}`] : []),
  ].join(" ");
}

/** Asks for the last of the documented refusals. */
function preferenceOf({ responses }: Operation): string {
  const refused = Object.keys(responses).findLast((status) => status.startsWith("4")) ?? "";
  const [example] = Object.values(responses[refused]?.content ?? {}).flatMap(({ examples }) =>
    Object.keys(examples),
  );
  return example === undefined ? "" : `-H 'Prefer: code=${refused}, example=${example}'`;
}

function quoted(body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

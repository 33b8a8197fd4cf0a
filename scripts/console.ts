// `npm run console`: the account center's page on the examples of its document, without a database.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { consoleFolder } from "../client/console/build/vite-options.ts";
import {
  type AnswerExample,
  type MockConsole,
  startMockConsole,
} from "../client/console/testing/mock-console.ts";

const help = `Serves the account center's page, answered with the examples of spec/account, and builds it again when one of its
files is saved; reload the page to see it. After npm run generate it answers with the new examples.

  npm run console -- [--port 4030] [--example OPERATION:STATUS:NAME …]

  --example   what an operation answers, such as listKeys:200:none; else its first good example.
              All names are in generated/account/examples.md`;

/** Editors write a file in several steps, and save several files at once. */
const DEBOUNCE_MS = 150;
const root = resolve(import.meta.dirname, "..");

try {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4030" },
      example: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(help);
  else await serve(Number(values.port), values.example.map(exampleOf));
} catch (error) {
  console.error(`The page cannot be served: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function serve(port: number, examples: readonly AnswerExample[]): Promise<void> {
  build();
  let mock = await open(port, examples);
  console.log(`The page is at ${mock.url}/account/ and follows client/console. Ctrl-C stops it.`);
  const reopen = async () => {
    await mock.close();
    mock = await open(port, examples);
  };
  const watchers = [
    watch(consoleFolder, { recursive: true }, soon(build)),
    watch(
      resolve(root, "generated/account"),
      soon(() => void reopen()),
    ),
  ];
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      for (const watcher of watchers) watcher.close();
      void mock.close();
    });
  }
}

async function open(port: number, examples: readonly AnswerExample[]): Promise<MockConsole> {
  const mock = await startMockConsole(port);
  mock.prefer(...examples);
  return mock;
}

/** Builds in a process of its own, which says what is wrong with the page; the one before stays until it is mended. */
function build(): void {
  const child = spawn(process.execPath, ["scripts/build.ts", "--if-changed"], {
    cwd: root,
    stdio: "inherit",
  });
  child.on("error", (error) => console.error(error.message));
}

function soon(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, DEBOUNCE_MS);
  };
}

function exampleOf(text: string): AnswerExample {
  const [operationId = "", status = "", name = ""] = text.split(":");
  return { operationId, status: Number(status), name };
}

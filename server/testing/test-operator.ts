import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Streams } from "../operator/command.ts";
import { runOperator } from "../operator/main.ts";
import type { KeyRing } from "../stock/code-cipher.ts";
import { type ProgramEnd, type RunningProgram, runProgram, startProgram } from "./program.ts";

/** What a command left behind. */
export interface Ran extends ProgramEnd {
  /** All of stdout as one JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on whatever came.
  readonly json: any;
}

/** For tests: the operator's command line on one database. */
export interface TestOperator {
  /** Runs a command in this process. */
  run(args: readonly string[], input?: Input): Promise<Ran>;
  /** Runs a command with `--json`, which must succeed, and gives its value. */
  json(args: readonly string[], input?: Input): Promise<Ran["json"]>;
  /** Runs a command in a process of its own. */
  spawn(args: readonly string[], stdin?: string): Promise<Ran>;
  /** Starts a command in a process of its own, with an open stdin. */
  start(args: readonly string[]): RunningProgram;
}

interface Input {
  stdin?: string | Buffer;
  /** Whether stderr is a terminal. */
  isTTY?: boolean;
  /** Is told what is written to stderr, when it is. */
  onStderr?: (text: string) => void;
}

const MAIN = join(import.meta.dirname, "../operator/main.ts");

export function testOperator(databaseUrl: string, keyRing: KeyRing): TestOperator {
  const keys = keyRing.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(",");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: databaseUrl, CODE_ENCRYPTION_KEYS: keys };
  const run = (args: readonly string[], input?: Input) => runInProcess(args, env, input);
  return {
    run,
    start: (args) => startProgram(process.execPath, [MAIN, ...args], { env, hasOpenInput: true }),
    async json(args, input) {
      const ran = await run([...args, "--json"], input);
      if (ran.exitCode !== 0) throw new Error(`${args.join(" ")} failed: ${ran.stderr}`);
      return ran.json;
    },
    async spawn(args, stdin = "") {
      return ran(await runProgram(process.execPath, [MAIN, ...args], { env, input: stdin }));
    },
  };
}

/** Runs a command in this process, in an environment of the test's choice. */
export async function runInProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdin = "", isTTY = false, onStderr = () => {} }: Input = {},
): Promise<Ran> {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stderr.on("data", (written) => onStderr(String(written)));
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr } as unknown as Streams;
  const written = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await runOperator(args, env, streams);
  stdout.end();
  stderr.end();
  const [writtenToStdout, writtenToStderr] = await written;
  return ran({ exitCode, stdout: writtenToStdout, stderr: writtenToStderr });
}

function ran(end: ProgramEnd): Ran {
  return { ...end, json: parse(end.stdout) };
}

function parse(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

import { type ChildProcess, spawn } from "node:child_process";

/** How a program is started; as this process would be, unless told otherwise. */
export interface ProgramOptions {
  readonly cwd?: string;
  /** All of its environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** What it reads from its stdin, which then ends; nothing when not given. */
  readonly input?: string;
  /** Whether its stdin stays open, for the test to write to. */
  readonly hasOpenInput?: boolean;
  /** Whether it leads a process group, so that a signal can reach all that it starts. */
  readonly leadsGroup?: boolean;
}

/** How a program ended, and what it had written by then. */
export interface ProgramEnd {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs in a process of its own. */
export interface RunningProgram {
  /** For what else can be done with a process, such as writing to its stdin. */
  readonly child: ChildProcess;
  /** The lines that it has written to stdout and stderr so far, as they came. */
  output(): string;
  /**
   * Waits until it writes a line that fits, or has written one.
   * @returns the line. @throws with its output when it ends before.
   */
  printed(pattern: RegExp): Promise<string>;
  /** Resolves when it has ended and everything that it wrote is read. */
  readonly ended: Promise<ProgramEnd>;
  /** Sends a signal, to its group where it leads one, and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<ProgramEnd>;
}

/** Starts a program: `process.execPath` for a script of this project. */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env, input, hasOpenInput = false, leadsGroup = false }: ProgramOptions = {},
): RunningProgram {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: [input === undefined && !hasOpenInput ? "ignore" : "pipe", "pipe", "pipe"],
    detached: leadsGroup,
  });
  if (input !== undefined) child.stdin?.end(input);
  const written = collectOutput(child);
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) =>
      resolve({ exitCode, stdout: written("stdout"), stderr: written("stderr") }),
    );
  });
  // Who waits for the program learns that it could not be started.
  ended.catch(() => {});
  return {
    child,
    output: () => written("stdout", "stderr"),
    printed: (pattern) =>
      Promise.race([lineOf(child, pattern, written), endedBefore(pattern, ended, written)]),
    ended,
    kill(signal) {
      const runs = child.exitCode === null && child.signalCode === null;
      if (leadsGroup && runs && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      return ended;
    },
  };
}

/** Runs a program to its end. @throws when it cannot be started. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramEnd> {
  return startProgram(program, args, options).ended;
}

type StreamName = "stdout" | "stderr";
/** What has been written to these streams so far, in the order in which it came. */
type Written = (...names: readonly StreamName[]) => string;

function collectOutput(child: ChildProcess): Written {
  const chunks: { name: StreamName; bytes: Buffer }[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (bytes: Buffer) => void chunks.push({ name, bytes }));
  }
  return (...names) =>
    Buffer.concat(chunks.filter(({ name }) => names.includes(name)).map(({ bytes }) => bytes)).toString();
}

/** The first line of one of its streams that fits, when there is one. */
function lineOf(child: ChildProcess, pattern: RegExp, written: Written): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["stdout", "stderr"] as const) {
      const find = () => {
        // What comes after the last line break may not be a whole line yet.
        const lines = written(name).split("\n").slice(0, -1);
        const line = lines.find((candidate) => pattern.test(candidate));
        if (line === undefined) return;
        child[name]?.off("data", find);
        resolve(line);
      };
      child[name]?.on("data", find);
      find();
    }
  });
}

async function endedBefore(pattern: RegExp, ended: Promise<ProgramEnd>, written: Written): Promise<never> {
  const { exitCode } = await ended;
  throw new Error(
    `The program ended with ${exitCode} and has not printed ${pattern}:\n${written("stdout", "stderr")}`,
  );
}

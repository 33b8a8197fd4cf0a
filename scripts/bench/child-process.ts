import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const STOP_TIMEOUT_MS = 10_000;

/** A process of the bench that answers questions, one at a time. */
export interface BenchProcess<Ready> {
  /** What it said when it had started. */
  readonly ready: Ready;
  readonly pid: number;
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** How a script is started as a process of its own. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  /** The script's own arguments. */
  readonly arguments?: readonly string[];
  /** Whether what it prints to stdout is not shown. */
  readonly isSilent?: boolean;
}

const running = new Set<ChildProcess>();

/** Starts a script as a process that ends with the bench at the latest. What it prints goes to stderr. */
export function startProcess(script: URL, options: StartOptions = {}): ChildProcess {
  const { env = {}, nodeArguments = [], arguments: scriptArguments = [], isSilent = false } = options;
  const child = fork(script, [...scriptArguments], {
    env: { ...process.env, ...env },
    execArgv: [...nodeArguments],
    stdio: ["ignore", isSilent ? "ignore" : process.stderr, process.stderr, "ipc"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Starts a script that uses {@link serveQuestions} and waits until it is ready. */
export async function startBenchProcess<Ready>(
  script: URL,
  setting: unknown,
  nodeArguments: readonly string[] = [],
): Promise<BenchProcess<Ready>> {
  const child = startProcess(script, { env: { BENCH_SETTING: JSON.stringify(setting) }, nodeArguments });
  return {
    ready: await nextMessage<Ready>(child),
    pid: pidOf(child),
    async ask<Answer>(question: unknown) {
      child.send(question as object);
      return nextMessage<Answer>(child);
    },
    stop: () => stopProcess(child),
  };
}

/** The id of a process that has started. */
export function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("A process of the bench did not start.");
  return pid;
}

/** Asks a process to end and waits for it; one that does not end in time is killed. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(killer);
}

/** Ends every process that still runs. */
export async function stopAllProcesses(): Promise<void> {
  await Promise.all([...running].map(stopProcess));
}

/**
 * What a side process's script calls: `start` makes it ready from its setting, `answer` answers questions. It ends when the
 * bench does.
 */
export async function serveQuestions<Setting, Ready, Question>(
  start: (setting: Setting) => Promise<{ ready: Ready; answer: (question: Question) => Promise<unknown> }>,
): Promise<void> {
  process.once("disconnect", () => process.exit());
  // A Ctrl-C reaches the whole terminal; the bench decides when its side processes end.
  process.on("SIGINT", () => {});
  const { ready, answer } = await start(JSON.parse(process.env.BENCH_SETTING ?? "null"));
  process.on("message", async (question: Question) => process.send?.(await answer(question)));
  process.send?.(ready);
}

function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A process of the bench ended with ${code}.`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.removeListener("exit", ended);
      resolve(message as Message);
    });
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { HookMessage, HookSettings } from "./hooks.ts";
import type { Outcome } from "./report.ts";
import type { Stage } from "./requests.ts";

/** Ends what hangs: a busy machine may take twenty times as long as an idle one. */
const RUN_LIMIT_MS = 300_000;

const require = createRequire(import.meta.url);
const dredd = require.resolve("dredd/bin/dredd");
const hooks = require.resolve("./hooks.cjs");
const generated = join(import.meta.dirname, "../../generated");

/**
 * Dredd's parser passes over keywords that it does not know: the hooks judge answers by the whole contract.
 * It mentions a proxy of the environment, but does not use it.
 */
const harmlessWarning =
  /contains (unsupported|invalid) key '|only one example is supported|only supported for JSON media|HTTP\(S\) proxy/;

/** What Dredd has done. */
interface DreddRun {
  /** What became of each transaction. */
  outcomes: Outcome[];
  /** What it says is wrong with the document or the run itself, apart from keywords that its parser does not know. */
  complaints: string[];
}

/**
 * Runs every transaction of an interface against a live server.
 * @param enter brings about the stage that the next transactions are for.
 * @throws when Dredd ends before its transactions have, and what `enter` throws.
 */
export async function runDredd(
  url: string,
  settings: HookSettings,
  enter: (stage: Stage) => Promise<void>,
): Promise<DreddRun> {
  // Dredd's old dependencies make Node warn about them.
  const program = ["--no-warnings", dredd];
  const document = join(generated, settings.name, "openapi-3.0.json");
  const child = spawn(process.execPath, [...program, document, url, "--hookfiles", hooks, "--no-color"], {
    env: { ...process.env, DREDD_HOOK_SETTINGS: JSON.stringify(settings) },
    stdio: [null, "pipe", "pipe", "ipc"],
    timeout: RUN_LIMIT_MS,
  });
  const streams = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ""));
  const ended = once(child, "close");
  const outcomes = await followHooks(child, enter);
  const [output] = await Promise.all([Promise.all(streams), ended]);
  const lines = output.join("").split("\n");
  if (!outcomes) throw new Error(`Dredd did not run as it should:\n${lines.join("\n")}`);
  const complaints = lines.filter((line) => /^(warn|error):/.test(line) && !harmlessWarning.test(line));
  return { outcomes, complaints };
}

/** Does what the hooks ask for until they have told the outcomes; null when the process ends before. */
function followHooks(child: ChildProcess, enter: (stage: Stage) => Promise<void>): Promise<Outcome[] | null> {
  return new Promise((resolve, reject) => {
    child.once("close", () => resolve(null));
    child.on("message", (message: HookMessage) => {
      if ("outcomes" in message) return resolve(message.outcomes);
      enter(message.stage).then(
        () => void child.send(message),
        (error: unknown) => {
          child.kill();
          reject(error);
        },
      );
    });
  });
}

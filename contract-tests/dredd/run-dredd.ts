import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { DreddReport, HookSettings } from "./hooks.ts";

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

/**
 * Runs every transaction of an interface against a live server. Throws when Dredd cannot run or when its parser warns of
 * anything but keywords that it does not know.
 */
export async function runDredd(baseUrl: string, settings: HookSettings): Promise<DreddReport> {
  // Dredd's old dependencies make Node warn about them.
  const program = ["--no-warnings", dredd];
  const document = join(generated, settings.name, "openapi-3.0.json");
  const child = spawn(process.execPath, [...program, document, baseUrl, "--hookfiles", hooks, "--no-color"], {
    env: { ...process.env, DREDD_HOOK_SETTINGS: JSON.stringify(settings) },
    stdio: [null, "pipe", "pipe", "ipc"],
    timeout: 25_000,
  });
  let report: DreddReport | undefined;
  child.once("message", (message) => {
    report = message as DreddReport;
  });
  const streams = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ""));
  const [output] = await Promise.all([Promise.all(streams), once(child, "close")]);
  const lines = output.join("").split("\n");
  const warnings = lines.filter((line) => /^(warn|error):/.test(line) && !harmlessWarning.test(line));
  if (!report || warnings.length > 0) throw new Error(`Dredd did not run as it should:\n${lines.join("\n")}`);
  return report;
}

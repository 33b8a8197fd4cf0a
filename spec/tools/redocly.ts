import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

/** The folder that API designers edit. */
export const specFolder = join(import.meta.dirname, "..");

const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");

/**
 * Runs the Redocly command line in spec/, where its rules are, without telemetry or update checks. It takes longer to start
 * than to read a document, so it is given all documents at once where it takes several.
 */
export async function redocly(...args: string[]): Promise<{ ok: boolean; output: string; messages: string }> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: specFolder,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<number | null>((resolve, reject) =>
    child.on("error", reject).on("close", resolve),
  );
  const [output, messages] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ok: (await exit) === 0, output, messages };
}

/** The JSON objects that Redocly prints one behind the other, one for each document that it was given. */
export function readObjects(output: string): string[] {
  return output.split(/(?<=^\})\s*(?=\{)/m).filter((text) => text !== "");
}

import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const requiredMajor = 24;

/**
 * Finds the Node that runs the project: the pinned one from the installed packages where it works, or the
 * running one if it is recent enough.
 * @param {string} root the project's folder
 * @returns {string} the path of the program
 */
export function findNode(root) {
  const pinned = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(pinned) && works(pinned)) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= requiredMajor) return process.execPath;
  throw new Error(
    `Node ${requiredMajor} or later is needed; this is Node ${process.versions.node}, and the packages bring ` +
      `none for ${process.platform} on ${process.arch}.\nInstall Node ${requiredMajor}, then run the same command again.`,
  );
}

/**
 * Goes on as another program: in place of this process where Node can do that, as its child otherwise.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function continueAs(program, args, env) {
  if (typeof process.execve === "function") process.execve(program, [program, ...args], definedOnly(env));
  const child = spawn(program, args, { env, stdio: "inherit" });
  /** @type {NodeJS.Signals[]} */
  const forwarded = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
  for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => {
    console.error(`${program} cannot be run: ${error.message}`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}

/**
 * The pinned program does not run everywhere that its package installs, for example not with musl's libc.
 * @param {string} program
 */
function works(program) {
  if (realpathSync(program) === realpathSync(process.execPath)) return true;
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, string>}
 */
function definedOnly(env) {
  /** @type {Record<string, string>} */
  const defined = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) defined[name] = value;
  return defined;
}

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { withFileLock } from "./file-lock.mjs";

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean,
 *   link?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages packages by their folder
 */

/**
 * Installs the packages that package-lock.json names when they are missing or other ones are installed.
 * @param {string} root the project's folder
 * @param {{ needsDevelopmentPackages: boolean, onProgress: (line: string) => void }} options without
 *   needsDevelopmentPackages, an installation that left out all development packages is complete
 */
export async function ensurePackages(root, { needsDevelopmentPackages, onProgress }) {
  if (installationState(root, needsDevelopmentPackages) === "complete") return;
  const lock = join(root, ".data", "install.lock");
  const onWait = () => onProgress("Waiting for another process that installs the packages …");
  await withFileLock(
    lock,
    async () => {
      const state = installationState(root, needsDevelopmentPackages);
      if (state === "complete") return;
      onProgress("Installing packages: the first run, or package-lock.json has changed …");
      await runNpm(root, [
        "ci",
        "--prefer-offline",
        "--loglevel=error",
        "--no-audit",
        "--no-fund",
        ...(state === "stale-production" ? ["--omit=dev"] : []),
        ...(needsDevelopmentPackages ? ["--include=dev"] : []),
      ]);
    },
    { onWait },
  );
}

/**
 * Compares what npm recorded as installed with what package-lock.json names. npm writes its record last,
 * so an interrupted installation has none.
 * @param {string} root
 * @param {boolean} needsDevelopmentPackages
 * @returns {"complete" | "missing" | "stale" | "stale-production"}
 */
export function installationState(root, needsDevelopmentPackages) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined) throw new Error(`${join(root, "package-lock.json")} cannot be read.`);
  if (installed === undefined) return "missing";
  const production =
    !needsDevelopmentPackages &&
    !Object.entries(wanted).some(([path, entry]) => entry.dev && installed[path]);
  const complete = Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path];
    if (found) return found.version === entry.version && found.integrity === entry.integrity;
    const mayBeAbsent = entry.optional || (production && (entry.dev || entry.devOptional));
    return path === "" || entry.link || mayBeAbsent;
  });
  if (complete) return "complete";
  return production ? "stale-production" : "stale";
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string[]} args
 * @returns {Promise<void>}
 */
function runNpm(root, args) {
  // The Node in node_modules/.bin is removed and written again during the installation: npm must not run on it.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes(`${sep}node_modules${sep}`))
    .join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn("npm", args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", (error) =>
      reject(new Error(`npm cannot be run (${error.message}). Install npm 10 or later.`)),
    );
    child.once("close", (code, signal) => {
      if (code === 0) return resolve();
      const reason = `The packages could not be installed: npm ${args[0]} ended with ${signal ?? `code ${code}`}.`;
      const nextStep =
        "Check the network connection and npm's registry and proxy settings, then run the same command again.";
      reject(new Error(`${output.trim()}\n\n${reason}\n${nextStep}`));
    });
  });
}

import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { runProgram } from "../../server/testing/program.ts";
import type { Replacement } from "./planted-faults.ts";

/** How a program ended. */
export interface Outcome {
  readonly passed: boolean;
  /** Whatever it printed, without colours. */
  readonly output: string;
}

/** A copy of the project with a history of one commit, in which files may be broken. */
export interface ProjectCopy {
  readonly folder: string;
  /** Runs a program of the copy with this process's Node. @param env what else its environment says. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Compiles one of its TypeScript projects. @param args what the compiler is told */
  compile(...args: readonly string[]): Promise<Outcome>;
  /** Puts the fault in for as long as the work lasts. @throws when the text to replace is not there exactly once. */
  withFault<T>(fault: Replacement, work: () => Promise<T>): Promise<T>;
  /** What differs from the last commit, in the order of their names: files, and new folders with a slash at their ends. */
  changed(): string[];
  /** Takes back whatever has been changed since the last commit. */
  restore(): void;
  /** Commits everything, so that changes are compared with it. */
  commit(message: string): void;
  remove(): void;
}

const root = resolve(import.meta.dirname, "../..");
/** Threads of one compiler do in part the same work, and other tests keep the processors busy. */
const COMPILER = ["node_modules/typescript-native/bin/tsc", "--singleThreaded"];
const LEFT_OUT = ["node_modules", ".git", ".data", ".docs", "coverage"];

/** Copies the project as it lies here; the packages are shared. */
export function copyProject(): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), "shop-gate-"));
  cpSync(root, folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(root, path)) });
  linkPackages(join(folder, "node_modules"));
  const author = ["-c", "user.name=gate", "-c", "user.email=gate@localhost"];
  const git = (...args: string[]) => execFileSync("git", [...author, ...args], { cwd: folder });
  const commit = (message: string) => {
    git("add", "--all");
    git("commit", "--quiet", "--no-verify", `--message=${message}`);
  };
  git("init", "--quiet", "--initial-branch=main");
  commit("The contract as it is");
  return {
    folder,
    commit,
    restore() {
      git("checkout", "--quiet", "--", ".");
      git("clean", "--quiet", "--force", "-d");
    },
    changed() {
      const status = String(git("status", "--porcelain", "--untracked-files=normal"));
      return status
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.slice(3))
        .sort();
    },
    run: (command, env = {}) => run(folder, command, env),
    compile: (...args) => run(folder, [...COMPILER, ...args], {}),
    async withFault(fault, work) {
      const file = join(folder, fault.file);
      const original = readFileSync(file, "utf8");
      writeFileSync(file, plant(fault, original));
      try {
        return await work();
      } finally {
        writeFileSync(file, original);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Each copy has what tools keep beside the packages, in folders with a dot, for itself. */
function linkPackages(folder: string): void {
  mkdirSync(folder);
  const packages = join(root, "node_modules");
  for (const name of readdirSync(packages))
    if (!name.startsWith(".") || name === ".bin") symlinkSync(join(packages, name), join(folder, name));
}

function plant({ name, file, find, replace }: Replacement, text: string): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${name}" must find its text exactly once in ${file}:\n${find}`);
  return before + replace + after;
}

async function run(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, command, {
    cwd,
    env: {
      ...process.env,
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
      TEST_COUNTS_FILE: undefined,
      REDOCLY_TELEMETRY: "off",
      ...env,
    },
  });
  return { passed: exitCode === 0, output: stdout + stderr };
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The release before this one. Set it to the release's commit with each release. */
const PREVIOUS_RELEASE = "a214b52411141220e51e0175e4497547260df152";
const PROJECT = resolve(import.meta.dirname, "../..");
const MAX_ARCHIVE_BYTES = 256 * 1024 ** 2;

/** Why the previous release cannot be taken out of the history; null when it can. */
export function whyNoPreviousRelease(): string | null {
  try {
    git("cat-file", "-e", `${PREVIOUS_RELEASE}^{tree}`);
    return null;
  } catch {
    return `the history has no commit ${PREVIOUS_RELEASE.slice(0, 7)} (a shallow clone, or none)`;
  }
}

/** Puts the previous release into a folder of its own, with this one's packages. */
export function takeOutPreviousRelease(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "shop-previous-release-"));
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", PREVIOUS_RELEASE) });
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function git(...args: readonly string[]): Buffer {
  return execFileSync("git", ["-C", PROJECT, ...args], {
    maxBuffer: MAX_ARCHIVE_BYTES,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

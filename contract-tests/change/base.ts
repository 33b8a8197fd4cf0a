import { spawnSync } from "node:child_process";
import { isObject, type Json } from "./differences.ts";

/** The state of the contract that a change is compared with. */
export interface Base {
  /** Such as `the merge base with main (1a2b3c4)`. */
  readonly label: string;
  /** The bundled documents of its interfaces, by name. */
  readonly documents: ReadonlyMap<string, Json>;
  /** CHANGELOG.md; empty where there was none. */
  readonly changelog: string;
  /** The document of an interface as it last was under that version, up to the base; undefined where it never was. */
  readonly lastUnder: (name: string, version: string) => Json | undefined;
}

/** Says in words why there is nothing to compare with. */
export class NoBaseError extends Error {
  override readonly name = "NoBaseError";
  /** Whether the caller has named a base that is not there. */
  readonly wasNamed: boolean;

  constructor(message: string, { wasNamed }: { wasNamed: boolean }) {
    super(message);
    this.wasNamed = wasNamed;
  }
}

/**
 * Reads the documents as they were at `wanted`, or else at the first of these that is another commit than the one that is
 * checked out: where the branch left main, HEAD while the contract has changes that are not committed, the last tag, the
 * commit before.
 * @param root the repository
 * @throws {NoBaseError} when there is none
 */
export function readBase(root: string, wanted?: string): Base {
  const git = gitIn(root);
  const { commit, label } = wanted === undefined ? findBase(git) : namedBase(git, wanted);
  const files = (git("ls-tree", "-r", "--name-only", commit, "generated/") ?? "").split("\n");
  const documents = files.flatMap((file): [string, Json][] => {
    const name = /^generated\/([^/]+)\/openapi\.json$/.exec(file)?.[1];
    return name === undefined ? [] : [[name, readDocument(git, commit, name)]];
  });
  return {
    label: `${label} (${commit.slice(0, 7)})`,
    documents: new Map(documents),
    changelog: git("show", `${commit}:CHANGELOG.md`) ?? "",
    lastUnder: (name, version) => findLastUnder(git, commit, name, version),
  };
}

function readDocument(git: Git, commit: string, name: string): Json {
  return JSON.parse(git("show", `${commit}:generated/${name}/openapi.json`) ?? "{}");
}

function findLastUnder(git: Git, base: string, name: string, version: string): Json | undefined {
  const commits = git("log", "--format=%H", base, "--", `generated/${name}/openapi.json`) ?? "";
  for (const commit of commits.split("\n").filter(Boolean)) {
    const document = readDocument(git, commit, name);
    if (isObject(document.info) && document.info.version === version) return document;
  }
  return undefined;
}

/** Runs git and gives what it prints; undefined when it fails. */
type Git = (...args: string[]) => string | undefined;

function gitIn(root: string): Git {
  return (...args) => {
    const { status, stdout } = spawnSync("git", args, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    return status === 0 ? stdout.trim() : undefined;
  };
}

function namedBase(git: Git, wanted: string) {
  const commit = git("rev-parse", "--verify", "--quiet", `${wanted}^{commit}`);
  if (commit === undefined) {
    const fetching = isShallow(git) ? " This clone is shallow; `git fetch --unshallow` brings the rest." : "";
    throw new NoBaseError(`There is no commit "${wanted}" here.${fetching}`, { wasNamed: true });
  }
  return { commit, label: wanted };
}

function findBase(git: Git) {
  const head = git("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if (head === undefined) throw new NoBaseError("There is no commit yet.", { wasNamed: false });
  for (const main of ["origin/main", "main"]) {
    const commit = git("merge-base", "HEAD", main);
    if (commit !== undefined && commit !== head) return { commit, label: `where this branch left ${main}` };
  }
  if (git("status", "--porcelain", "--", "spec", "generated"))
    return { commit: head, label: "the last commit" };
  const tag = git("describe", "--tags", "--abbrev=0", "HEAD^");
  if (tag !== undefined) return { ...namedBase(git, tag), label: `the tag ${tag}` };
  const before = git("rev-parse", "--verify", "--quiet", "HEAD^");
  if (before !== undefined) return { commit: before, label: "the commit before" };
  const reason = isShallow(git)
    ? "This clone is shallow and holds one commit only; `git fetch --deepen=1` brings the one before it."
    : "This is the first commit.";
  throw new NoBaseError(reason, { wasNamed: false });
}

function isShallow(git: Git): boolean {
  return git("rev-parse", "--is-shallow-repository") === "true";
}

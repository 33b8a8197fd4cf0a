import { isObject, type Json } from "./differences.ts";
import { type Change, findChanges } from "./find-changes.ts";
import { tellChange } from "./tell-change.ts";

/** What has become of one interface, and whether it may be merged. */
export interface Comparison {
  readonly name: string;
  /** `info.version` before and now; null where there is no such document. */
  readonly versionBefore: string | null;
  readonly version: string | null;
  readonly changes: readonly Change[];
  /** What is missing so that the change may be merged; empty when it may. */
  readonly faults: readonly string[];
  /** Whether the version falls, as it does where a release is taken back. */
  readonly falls: boolean;
}

/** What the contract was, what it is, and what the changelog says of it. */
export interface Contracts {
  readonly before: ReadonlyMap<string, Json>;
  readonly after: ReadonlyMap<string, Json>;
  readonly changelog: string;
  /** What an interface last was under a version. */
  readonly lastUnder: (name: string, version: string) => Json | undefined;
}

/**
 * Compares all interfaces. A change that breaks buyers needs a new major version in `info.version`, and every new version an
 * entry in the changelog. A version may only fall to one that there was, together with what the contract was then.
 */
export function compareContract({ before, after, changelog, lastUnder }: Contracts): Comparison[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.map((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    const changes = old && now ? findChanges(old, now) : [wholeInterface(name, now !== undefined)];
    const versions = { versionBefore: versionOf(old), version: versionOf(now) };
    const falls = isFall(versions);
    const faults =
      falls && now !== undefined
        ? faultsOfFall({ name, ...versions, now, earlier: lastUnder(name, String(versions.version)) })
        : faultsOf({ name, ...versions, breaks: isBreaking(changes), changelog });
    return { name, ...versions, changes, faults, falls };
  });
}

function wholeInterface(name: string, isNew: boolean): Change {
  const text = `The interface \`${name}\` is ${isNew ? "new" : "gone"}`;
  return { effect: isNew ? "compatible" : "breaking", side: "interface", text, places: [] };
}

function isBreaking(changes: readonly Change[]): boolean {
  return changes.some(({ effect }) => effect === "breaking");
}

function versionOf(document: Json | undefined): string | null {
  return isObject(document?.info) ? String(document.info.version) : null;
}

interface Claim {
  readonly name: string;
  readonly versionBefore: string | null;
  readonly version: string | null;
  readonly breaks: boolean;
  readonly changelog: string;
}

function faultsOf({ name, versionBefore, version, breaks, changelog }: Claim): string[] {
  if (versionBefore === null) return [];
  const [majorBefore = 0] = numbersOf(versionBefore);
  const needed = `${majorBefore + 1}.0.0`;
  const faults: string[] = [];
  if (version !== null && breaks && (numbersOf(version)[0] ?? 0) <= majorBefore)
    faults.push(
      `Set \`info.version\` in spec/${name}/openapi.yaml to ${needed} (it is ${version}), or take the change back.`,
    );
  const told = version !== null && (numbersOf(version)[0] ?? 0) > majorBefore ? version : needed;
  if (breaks && !hasEntry(changelog, `${name} ${told}`))
    faults.push(`Say in CHANGELOG.md, below \`## ${name} ${told}\`, what buyers have to change.`);
  const isRaised = version !== null && version !== versionBefore;
  if (!breaks && isRaised && !hasEntry(changelog, `${name} ${version}`))
    faults.push(`Say in CHANGELOG.md, below \`## ${name} ${version}\`, what is new for buyers.`);
  return faults;
}

interface Fall {
  readonly name: string;
  readonly versionBefore: string | null;
  readonly version: string | null;
  readonly now: Json;
  /** What the contract was under the version that it falls to. */
  readonly earlier: Json | undefined;
}

/** A number that buyers know may not come to mean another contract. */
function faultsOfFall({ name, versionBefore, version, now, earlier }: Fall): string[] {
  const fall = `\`info.version\` in spec/${name}/openapi.yaml falls from ${versionBefore} to ${version}`;
  if (earlier === undefined) return [`${fall}, which there never was: raise it instead.`];
  return findChanges(earlier, now)
    .filter(({ effect }) => effect === "breaking")
    .map(
      (change) =>
        `${fall}, and the contract is not what it was then: ${tellChange(change)} Take all of it back, or raise the version.`,
    );
}

function isFall({ version, versionBefore }: Pick<Comparison, "version" | "versionBefore">): boolean {
  return version !== null && versionBefore !== null && isLower(version, versionBefore);
}

function numbersOf(version: string): number[] {
  return version.split(/[.+-]/, 3).map(Number);
}

function isLower(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  const index = own.findIndex((number, position) => number !== other[position]);
  return index !== -1 && (own[index] ?? 0) < (other[index] ?? 0);
}

/** Whether there is a heading, with or without a date in brackets behind it, that has something below it. */
function hasEntry(changelog: string, heading: string): boolean {
  const [, ...entries] = changelog.split(/^## /m);
  const entry = entries.find((text) => headingOf(text) === heading);
  return entry !== undefined && entry.split("\n").slice(1).join("").trim() !== "";
}

function headingOf(entry: string): string {
  const [line = ""] = entry.split("\n", 1);
  return line
    .replace(/\(\d{4}-\d\d-\d\d\)\s*$/, "")
    .trim()
    .toLowerCase();
}

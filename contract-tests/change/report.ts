import type { Comparison } from "./compare-contract.ts";
import type { Change } from "./find-changes.ts";
import type { Effect } from "./judge-schema.ts";
import { tellChange } from "./tell-change.ts";

const MEANINGS: Record<Change["side"], string> = {
  request: "requests: what worked until now may be refused",
  answer: "answers: programs may miss something, or meet something that they were not told of",
  interface: "the interface as a whole",
};

const TITLES: Record<Effect, string> = {
  breaking: "Breaks buyers",
  compatible: "Does not break buyers",
  wording: "Reads differently, nothing else",
};

/** Says in words what has become of every interface; as Markdown it fits a merge comment. */
export function writeReport(
  comparisons: readonly Comparison[],
  { base, markdown }: { readonly base: string; readonly markdown: boolean },
): string {
  const text = [
    `## The contract, compared with ${base}`,
    ...comparisons.map(writeComparison),
    `**${verdictOf(comparisons)}**`,
  ].join("\n\n");
  return markdown ? text : text.replaceAll(/^#+ |`|\*\*/gm, "");
}

function writeComparison(comparison: Comparison): string {
  const { name, versionBefore, version, changes, faults, falls } = comparison;
  const versions =
    versionBefore === version ? `${version}` : `${versionBefore ?? "none"} → ${version ?? "none"}`;
  const heading = `### ${name} ${versions}`;
  if (changes.length === 0) return `${heading}\n\nNothing has changed.`;
  const effects: Effect[] = ["breaking", "compatible", "wording"];
  const parts = effects.flatMap((effect) => writeEffect(effect, changes) ?? []);
  const missing =
    faults.length > 0 ? [`To merge this:\n${faults.map((fault) => `- [ ] ${fault}`).join("\n")}`] : [];
  const excuse =
    faults.length === 0 && changes.some(({ effect }) => effect === "breaking")
      ? [
          falls
            ? `All of it is taken back: the contract is what ${version} was.`
            : "The version and the changelog say so.",
        ]
      : [];
  return [heading, ...parts, ...missing, ...excuse].join("\n\n");
}

function writeChange(change: Change): string {
  return `- ${tellChange(change)}`;
}

function writeEffect(effect: Effect, changes: readonly Change[]): string | undefined {
  const own = changes.filter((change) => change.effect === effect);
  if (own.length === 0) return undefined;
  if (effect === "wording") return `${TITLES[effect]}: descriptions, examples and the like (${own.length}).`;
  if (effect === "compatible") return `${TITLES[effect]}:\n${own.map(writeChange).join("\n")}`;
  const sides = Object.keys(MEANINGS) as Change["side"][];
  return sides
    .map((side) => ({ side, changes: own.filter((change) => change.side === side) }))
    .filter((group) => group.changes.length > 0)
    .map(
      (group) =>
        `**${TITLES[effect]}**, ${MEANINGS[group.side]}:\n${group.changes.map(writeChange).join("\n")}`,
    )
    .join("\n\n");
}

function verdictOf(comparisons: readonly Comparison[]): string {
  const breaks = comparisons.some(({ changes }) => changes.some(({ effect }) => effect === "breaking"));
  const faulty = comparisons.filter(({ faults }) => faults.length > 0);
  if (faulty.some(({ falls, changes }) => !falls && changes.some(({ effect }) => effect === "breaking")))
    return "Buyers break, and the version or the changelog does not say so: this must not be merged.";
  if (faulty.some(({ falls }) => !falls))
    return "A version is new, and the changelog does not say what it brings: this must not be merged.";
  if (faulty.length > 0)
    return "A version falls, and the contract is not what it was then: this must not be merged.";
  if (comparisons.some(({ falls }) => falls)) return "A release is taken back: who relies on it breaks.";
  return breaks ? "Buyers break, and the version and the changelog say so." : "No buyer breaks.";
}

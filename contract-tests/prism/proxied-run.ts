import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { INTERFACES, openContract } from "../contract.ts";
import type { Tally } from "./prism-front.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The file to which every test file adds a line with its tally. */
    prismTallies: string;
  }
}

/**
 * Once per run through Prism: says at its end what was judged. A whole run fails when an operation never was, for then
 * tests have gone past Prism.
 */
export default function reportJudged(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "shop-prism-"));
  const file = join(folder, "tallies");
  writeFileSync(file, "");
  project.provide("prismTallies", file);
  return async () => {
    const tallies = readFileSync(file, "utf8").split("\n").filter(Boolean).map(parseTally);
    rmSync(folder, { recursive: true });
    const judged = sumOf(tallies.map((tally) => tally.judged));
    const answers = documentedAnswers();
    const operations = new Set(answers.map(operationOf));
    const missed = operations.difference(new Set(Object.keys(judged).map(operationOf)));
    const statuses = answers.filter((answer) => answer in judged);
    const met = `${operations.size - missed.size} of ${operations.size} operations, ${statuses.length} of ${answers.length} documented statuses`;
    console.log(`Prism has judged ${total(judged)} answers: ${met}.`);
    for (const [what, times] of Object.entries(sumOf(tallies.map((tally) => tally.unjudged)))) {
      console.log(`Not judged: ${times} ${what}`);
    }
    const ran = project.vitest.state
      .getFiles()
      .filter(({ projectName }) => projectName === project.name).length;
    const isWhole =
      project.config.testNamePattern === undefined &&
      ran === (await project.globTestFiles()).testFiles.length;
    if (isWhole && missed.size > 0)
      throw new Error(`Prism has judged no answer of ${[...missed].join(", ")}.`);
  };
}

function parseTally(line: string): Tally {
  return JSON.parse(line);
}

/** Every answer of the documents, as `ordering createOrder 200`. */
function documentedAnswers(): string[] {
  return INTERFACES.flatMap((name) =>
    openContract(name).operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${name} ${operationId} ${status}`),
    ),
  );
}

function operationOf(answer: string): string {
  return answer.replace(/ \d+$/, "");
}

function sumOf(tallies: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const tally of tallies) {
    for (const [what, times] of Object.entries(tally)) sum[what] = (sum[what] ?? 0) + times;
  }
  return sum;
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}

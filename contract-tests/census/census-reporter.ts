import { relative, resolve } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { expectedTests, missingTests } from "./expected-tests.ts";

const root = resolve(import.meta.dirname, "../..");
const ADVICE =
  "It has to look at every interface, operation and answer; see contract-tests/census/expected-tests.ts.";

/**
 * A vitest reporter that fails a run in which a file of the gate had fewer tests than the documents call for: a test that looks
 * at one interface only, or at the first of some examples, passes and proves nothing of the others.
 */
export default class CensusReporter implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const byFile = new Map(modules.map((module) => [relative(root, module.moduleId), module]));
    const missing = missingTests(expectedTests(), (file) => {
      const module = byFile.get(file);
      // What could not be loaded has failed already.
      if (module === undefined || module.errors().length > 0) return undefined;
      return [...module.children.allTests()].map(({ fullName }) => fullName);
    });
    if (missing.length === 0) return;
    console.error([...missing, ADVICE].join("\n"));
    process.exitCode = 1;
  }
}

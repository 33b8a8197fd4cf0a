import { appendFileSync } from "node:fs";
import { afterAll, afterEach, inject } from "vitest";
import { putInFront } from "../../server/testing/service-front.ts";
import { sharedPrismFront } from "./shared-prism-front.ts";

// For every test file of a run through Prism: a test fails when an answer broke the contract, whatever it thinks of it.

const front = await sharedPrismFront();
putInFront(front);

async function failOnFaults(): Promise<void> {
  const faults = await front.takeFaults();
  if (faults.length === 0) return;
  const counts = Object.entries(Object.groupBy(faults, (fault) => fault));
  const lines = counts.map(
    ([fault, all = []]) => `- ${fault}${all.length > 1 ? ` (${all.length} times)` : ""}`,
  );
  throw new Error(`Prism found answers that break the contract:\n${lines.join("\n")}`);
}

afterEach(failOnFaults);
// Here are those of what comes before and after the tests.
afterAll(failOnFaults);
// The next file of this process goes on with the same Prism.
afterAll(() => appendFileSync(inject("prismTallies"), `${JSON.stringify(front.takeTally())}\n`));

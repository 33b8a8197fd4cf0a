import { expect, test } from "vitest";
import { openContract } from "./contract.ts";

const { operations } = openContract("ordering");
const answers = operations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).map(([status, response]) => ({ name: `${operationId} ${status}`, response })),
);

test.each(answers)("$name has an example of every error code that it allows", ({ response }) => {
  for (const { schema, examples } of Object.values(response.content)) {
    const allowed: string[] = schema.properties?.error?.enum ?? [];
    const shown = Object.values(examples).flatMap(({ value }) => (value as { error?: string }).error ?? []);
    expect(new Set(shown)).toEqual(new Set(allowed));
  }
});

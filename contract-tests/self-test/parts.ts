/** The parts of the gate, each a program that fails when it finds a fault. */
export const PARTS = {
  dredd: {
    title: "Dredd",
    command: [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config=server/testing/vitest/vitest.config.ts",
      "contract-tests/dredd",
    ],
  },
  prism: {
    title: "npm run test:proxied",
    command: ["scripts/test.ts", "--proxied", "server/interfaces/ordering/behaviour"],
  },
  drift: { title: "the check of generated files", command: ["scripts/checks/drift.ts"] },
  lint: { title: "npm run spec:check", command: ["scripts/lint-spec.ts"] },
  change: { title: "npm run contract:diff", command: ["scripts/contract-diff.ts"] },
} as const;

export type PartName = keyof typeof PARTS;

import { defaultExclude, defineConfig } from "vitest/config";
import faults from "./vitest.faults.config.ts";

/** The tests on clusters of database servers. */
export default defineConfig({
  ...faults,
  test: {
    ...faults.test,
    include: ["server/**/*.cluster.test.ts"],
    exclude: defaultExclude,
    // Each of them starts three servers and three processes.
    maxWorkers: 1,
  },
});

import { defineConfig } from "vitest/config";
import config from "../../server/testing/vitest/vitest.config.ts";
import proxiedConfig, { reportJudged } from "./vitest.proxied.config.ts";

/** All that `npm test` runs: the tests, and those that speak HTTP once more behind Prism, on the same database server. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: [
      { ...config, extends: false, test: { ...config.test, name: "tests", globalSetup: [] } },
      {
        ...proxiedConfig,
        extends: false,
        test: { ...proxiedConfig.test, name: "tests behind Prism", globalSetup: reportJudged },
      },
    ],
  },
});

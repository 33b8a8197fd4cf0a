import { defaultExclude, defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

/** The long tests, which break what they can while orders are placed. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["server", "client", "scripts"].map((folder) => `${folder}/**/*.faults.test.ts`),
    exclude: defaultExclude,
    // Each of these tests keeps a database and several servers busy.
    maxWorkers: 2,
    testTimeout: 20 * 60_000,
    hookTimeout: 120_000,
  },
});

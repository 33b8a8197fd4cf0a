import { defaultExclude, defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

/** The long tests, which break what they can while orders are placed. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["server", "client", "scripts"].map((folder) => `${folder}/**/*.faults.test.ts`),
    exclude: defaultExclude,
    // They change what a whole process shares, such as its environment.
    isolate: true,
    // Each of these tests keeps a database and several servers busy.
    maxWorkers: 2,
    maxConcurrency: 2,
    testTimeout: 20 * 60_000,
  },
});

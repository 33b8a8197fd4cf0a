import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defaultExclude, defineConfig } from "vitest/config";
import { readSetting } from "../../settings/setting.ts";
import { testSettings } from "../../settings/test-settings.ts";
import { plantedBug } from "../planted-bugs/planted-bugs.ts";
import { plantingPlugin } from "../planted-bugs/planting-plugin.ts";

const bug = readSetting(testSettings.plantedBug, process.env);

export default defineConfig({
  root: resolve(import.meta.dirname, "../../.."),
  plugins: bug ? [plantingPlugin(plantedBug(bug))] : [],
  test: {
    // The servers that tests start are loaded by Node itself.
    env: bug
      ? {
          NODE_OPTIONS: `--import=${import.meta.resolve("../planted-bugs/plant-into-process.ts")}`,
        }
      : {},
    include: ["spec", "server", "client", "scripts", "contract-tests"].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    // They take minutes: see vitest.faults.config.ts.
    exclude: [...defaultExclude, "**/*.faults.test.ts"],
    globalSetup: "server/testing/database/global-setup.ts",
    pool: "forks",
    // The tests share the processor with the database and with the servers that they start.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 8),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defaultExclude, defineConfig } from "vitest/config";
import { readSetting } from "../../settings/setting.ts";
import { testSettings } from "../../settings/test-settings.ts";
import { plantedBug } from "../planted-bugs/planted-bugs.ts";
import { plantingPlugin } from "../planted-bugs/planting-plugin.ts";
import { LongestFirst } from "./longest-first.ts";

const bug = readSetting(testSettings.plantedBug, process.env);

export default defineConfig({
  root: resolve(import.meta.dirname, "../../.."),
  plugins: bug ? [plantingPlugin(plantedBug(bug))] : [],
  test: {
    env: {
      // Mostly it is tomorrow there: what takes the day of the machine for that of UTC is noticed.
      TZ: "Pacific/Kiritimati",
      // The servers that tests start are loaded by Node itself.
      ...(bug && {
        NODE_OPTIONS: `--import=${import.meta.resolve("../planted-bugs/plant-into-process.ts")}`,
      }),
    },
    include: ["spec", "server", "client", "scripts", "contract-tests"].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    // They take minutes: see vitest.faults.config.ts and vitest.clusters.config.ts.
    exclude: [...defaultExclude, "**/*.{faults,cluster}.test.ts"],
    globalSetup: "server/testing/database/global-setup.ts",
    pool: "forks",
    // A process loads the service and its packages once for all files that it runs.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Two for each processor, because a test that waits leaves its own to another.
    maxWorkers: Math.min(2 * availableParallelism(), 8),
    // Limits end what hangs and judge no speed: a busy machine may take twenty times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

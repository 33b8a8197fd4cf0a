import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { findDatabaseTests } from "./database-tests.ts";
import config from "./vitest.config.ts";

/** The tests that use a database, to be run on another one. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: findDatabaseTests(resolve(import.meta.dirname, "../../..")) },
});

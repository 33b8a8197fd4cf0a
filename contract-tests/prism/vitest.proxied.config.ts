import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultExclude, defineConfig } from "vitest/config";
import config from "../../server/testing/vitest/vitest.config.ts";
import { findHttpTests } from "./http-tests.ts";

const root = resolve(import.meta.dirname, "../..");

/** The set-up of the whole run that Prism needs besides the database server. */
export const reportJudged = fileURLToPath(import.meta.resolve("./proxied-run.ts"));

/** The tests that speak HTTP, with Prism between them and the service: see contract-tests/prism/prism-front.ts. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    // Dredd, in contract-tests/, compares answers with the documents itself.
    include: findHttpTests(root, ["server", "client", "scripts"]),
    exclude: [
      ...defaultExclude,
      // Their subject is the moment at which the service is killed, and hardly an answer is ever complete.
      "**/crashes.test.ts",
      "**/killed-processes.test.ts",
      // Its subject is the admin port, which has no contract.
      "server/http/admin.test.ts",
      // Its subject is a database that is out, and Dredd asks for every answer that there is then.
      "server/database/sick-database.test.ts",
      // Theirs is what happens before a request has been sent whole, which Prism waits for.
      "server/interfaces/proxy/large-requests.http.test.ts",
      // Theirs is which of many equal requests wins; the few answers that these get are asked for by other tests too.
      "**/{,*-}races.test.ts",
      // Theirs is what a browser shows of answers that other tests get as well.
      "**/*.browser.test.ts",
      // It asks the service for nothing but what client/readme.test.ts asks for, with the same program.
      "client/packaging/package.test.ts",
    ],
    setupFiles: [fileURLToPath(import.meta.resolve("./proxied-file.ts"))],
    globalSetup: ["server/testing/database/global-setup.ts", reportJudged],
  },
});

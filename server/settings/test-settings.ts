import { z } from "zod";
import { wholeNumber } from "./schemas.ts";
import type { Settings } from "./setting.ts";

/** The largest number that the tests' random generators take as their seed. */
export const MAX_SEED = 2 ** 31 - 1;

/** What test runs are set by; `npm run settings` writes the table of them in server/README.md. */
export const testSettings = {
  databaseUrl: {
    variable: "TEST_DATABASE_URL",
    schema: z.string(),
    default: null,
    defaultText: "a private server",
    description:
      "`mysql://…` of a database server on which the tests make databases of their own, and remove them.",
  },
  databaseProgram: {
    variable: "TEST_DATABASE_PROGRAM",
    schema: z.string(),
    default: null,
    defaultText: "the MariaDB that is installed",
    description: "The path of the `mariadbd` or `mysqld` that the tests start.",
  },
  faultsScale: {
    variable: "FAULTS_SCALE",
    schema: z
      .string()
      .transform(Number)
      .refine((scale) => scale > 0, { error: "must be a number above 0" }),
    default: 1,
    description: "How long the long tests are: `0.1` is a tenth, `10` ten times as long.",
  },
  faultsSeed: {
    variable: "FAULTS_SEED",
    schema: wholeNumber(0, MAX_SEED),
    default: null,
    defaultText: "another in each run",
    description:
      "What the long tests' random choices follow from. A test that fails prints the one that repeats it.",
  },
  plantedBug: {
    variable: "PLANTED_BUG",
    schema: z.string(),
    default: null,
    description:
      "The name of a fault that is put into the code while tests run, to see that they notice; `server/testing/planted-bugs/planted-bugs.ts` lists them.",
  },
} as const satisfies Settings;

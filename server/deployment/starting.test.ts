import { resolve } from "node:path";
import { expect, test } from "vitest";
import { migrationStatus, rollBackAll, rollBackNewest } from "../database/migrate.ts";
import { runProgram } from "../testing/program.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";

const PROCESSES = 4;
const MIGRATE = resolve(import.meta.dirname, "../../scripts/migrate.ts");

const OLD_SCHEMAS: Record<string, (services: TestServices) => Promise<void>> = {
  empty: ({ database }) => rollBackAll(database),
  old: async ({ database }) => {
    for (let step = 1; step <= 3; step += 1) await rollBackNewest(database);
  },
};

test.each(Object.entries(OLD_SCHEMAS))(
  "of four processes that start at once on an %s schema one brings it up to date and the others wait",
  async (_, makeOld) => {
    const services = await openTestServices();
    await makeOld(services);
    const env = { ...process.env, DATABASE_URL: services.databaseUrl, CODE_ENCRYPTION_KEYS: "unused" };
    const starts = Array.from({ length: PROCESSES }, () =>
      runProgram(process.execPath, [MIGRATE, "up"], { env }),
    );
    for (const { exitCode, stderr } of await Promise.all(starts)) expect([exitCode, stderr]).toEqual([0, ""]);
    expect((await migrationStatus(services.database)).waiting).toEqual([]);
    await services.addAccount();
    await services.dispose();
  },
);

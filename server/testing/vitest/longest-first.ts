import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take more than eight seconds and are too short for it to show; so do those that open a browser. */
const LONG = [
  "model.faults.test.ts",
  "planted-bugs.faults.test.ts",
  "memory.faults.test.ts",
  "sick-database.test.ts",
  "admin.test.ts",
  "ordering-adapter.test.ts",
  "audit.test.ts",
  "on-demand.test.ts",
  "on-demand-races.test.ts",
  "messages.http.test.ts",
  "crashes.test.ts",
  "readme.test.ts",
  "types.test.ts",
  "designer-desk.test.ts",
  "made-up-interface.test.ts",
  "package.test.ts",
  "operator-process.test.ts",
  "on-demand-faults.test.ts",
  "on-demand.http.test.ts",
  "killed-processes.test.ts",
  "dredd.test.ts",
  "start.test.ts",
  "model.test.ts",
  "races.test.ts",
];

/**
 * Long files come first, so that no process is left with one at the end. vitest goes by what files have taken before; a
 * fresh clone knows nothing of that, and goes by their size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // A process runs files of one project only.
    const projects = Object.values(Object.groupBy(sorted, ({ project }) => project.name));
    return projects.flatMap((those = []) => [
      ...those.filter(isLong),
      ...those.filter((file) => !isLong(file)),
    ]);
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith(".browser.test.ts") || LONG.includes(basename(moduleId));
}

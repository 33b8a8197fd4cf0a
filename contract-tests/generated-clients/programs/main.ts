// Runs the programs named in the argument, a list of tasks in JSON, and prints their reports in the same order.
import { program as heyApi } from "./hey-api.ts";
import { program as openapiTypescript } from "./openapi-typescript.ts";
import { program as orval } from "./orval.ts";
import type { Program, Task } from "./purchase.ts";

const PROGRAMS: Readonly<Record<string, Program>> = {
  "hey-api": heyApi,
  orval,
  "openapi-typescript": openapiTypescript,
};

const tasks: readonly (Task & { readonly client: string })[] = JSON.parse(process.argv[2] ?? "[]");
const reports = await Promise.all(tasks.map(({ client, ...task }) => PROGRAMS[client]?.(task)));
console.log(JSON.stringify(reports));

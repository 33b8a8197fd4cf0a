import { type Command, Option } from "commander";
import { type Action, OPERATIONS } from "../actions/action.ts";
import type { Services } from "../compose.ts";
import { text, wholeNumber } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { moment } from "./moment.ts";
import { isoTime, type JsonValue, type Report, table } from "./report.ts";

const MAX_ACTIONS = 100_000;
const DEFAULT_ACTIONS = 50;

interface ListOptions {
  actor?: string;
  operation?: string;
  target?: string;
  from?: number;
  to?: number;
  limit: number;
}

/** `actions list`. */
export function addActionCommands(program: Command, run: Run): void {
  const group = addGroup(program, "actions", "what operators have done, on this command line as well");
  addCommand(group, "list", "what operators have done: who, what, to what and why, newest first", [
    "actions list",
    "actions list --target acc_01938c8e6f2b7c3e9a4d5f6071829304",
    "actions list --operation setProductPrices --from 2026-11-01 --json",
  ])
    .option(
      "--actor <name>",
      "only of whom, by user id or by name, such as ada@desk-2 on the command line",
      text,
    )
    .addOption(new Option("--operation <name>", "only this operation").choices(Object.keys(OPERATIONS)))
    .option("--target <id>", "only what was done to this; people go by their e-mail", text)
    .option("--from <time>", "only from this time on, UTC", moment)
    .option("--to <time>", "only before this time, UTC", moment)
    .option("--limit <number>", "how many", wholeNumber(1, MAX_ACTIONS), DEFAULT_ACTIONS)
    .action((options: ListOptions) => run((services) => list(services, options)));
}

async function list(
  { actions }: Services,
  { actor, operation, target: targetId, from: fromMs, to: toMs, limit }: ListOptions,
): Promise<Report> {
  const page = await actions.page({ actor, operation, targetId, fromMs, toMs, limit });
  const json = page.actions.map(actionJson);
  const rows = page.actions.map((action) => [
    String(action.sequence),
    isoTime(action.createdAtMs),
    action.actor.name,
    action.operation,
    action.targetId,
    action.before,
    action.after,
    action.reason,
  ]);
  const headings = [">Number", "Time", "Who", "What", "To what", "Before", "After", "Reason"];
  return { json, text: table(headings, rows, "No such action was recorded.") };
}

function actionJson(action: Action) {
  return {
    number: String(action.sequence),
    createdAt: isoTime(action.createdAtMs),
    actor: { ...action.actor },
    operation: action.operation,
    target: { kind: action.targetKind, id: action.targetId },
    before: parsed(action.before),
    after: parsed(action.after),
    reason: action.reason,
    requestId: action.requestId,
  };
}

function parsed(state: string | null): JsonValue {
  return state === null ? null : (JSON.parse(state) as JsonValue);
}

import type { Command } from "commander";
import type { Services } from "../compose.ts";
import type { Report } from "./report.ts";

/** How an operator calls this program; what stands in front of every example. */
export const PROGRAM_NAME = "npm run -s operator --";

/** Where a command reads from and writes to: the process, or a test's streams. */
export type Streams = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr">;

/**
 * Opens the use cases, does a command's work with them, prints its report and closes them again.
 * @param work gives null when it has written what there is to say itself.
 */
export type Run = (work: (services: Services, streams: Streams) => Promise<Report | null>) => Promise<void>;

/** Adds a command that does something. Its examples, without the program's name, stand below its help. */
export function addCommand(
  parent: Command,
  name: string,
  summary: string,
  examples: readonly [string, ...string[]],
): Command {
  const command = parent.command(name).description(summary);
  const lines = examples.map((example) => `  ${PROGRAM_NAME} ${example}`);
  return command
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`)
    .showHelpAfterError(`Next step: ${lines[0]?.trim()}\nAll options: ${pathOf(command)} --help`);
}

/** Adds a command that only holds others. */
export function addGroup(program: Command, name: string, summary: string): Command {
  const group = program.command(name).description(summary);
  return group.showHelpAfterError(`Next step: ${pathOf(group)} --help`);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

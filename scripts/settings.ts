// `npm run settings`: writes the tables of settings and of the operator's commands into the manuals. With --check it writes
// nothing and fails when one is not what the code has.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Command } from "commander";
import { z } from "zod";
import { createProgram } from "../server/operator/main.ts";
import type { Setting, Settings } from "../server/settings/setting.ts";
import { operatorSettings, serviceSettings, startSettings } from "../server/settings/settings.ts";
import { testSettings } from "../server/settings/test-settings.ts";
import { serviceNodeOptions } from "../server/setup/service-node-options.mjs";

/** What Node itself reads; scripts/run.mjs puts its own options before it. */
const nodeSettings = {
  nodeOptions: {
    variable: "NODE_OPTIONS",
    schema: z.string(),
    default: serviceNodeOptions.join(" "),
    description:
      "Options of Node, added to these by `npm start` and `npm run operator`. The heap has a bound because it would grow with the machine otherwise.",
  },
} as const satisfies Settings;

/** The manuals, with their tables by the name that stands in the marks around each. */
const manuals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "server/operator/README.md": {
    commands: commandTable(),
    "service settings": tableOf(serviceSettings),
    "start settings": tableOf({ ...startSettings, ...nodeSettings }),
    "operator settings": tableOf(operatorSettings),
  },
  "server/README.md": { "test settings": tableOf(testSettings) },
};

const root = resolve(import.meta.dirname, "..");
const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });

for (const [file, tables] of Object.entries(manuals)) {
  const before = readFileSync(join(root, file), "utf8");
  const after = Object.entries(tables).reduce(
    (text, [name, table]) => replaceTable(text, name, table),
    before,
  );
  if (after === before) continue;
  if (options.check) {
    console.error(
      `${file} does not have the settings and commands that the code has.\nRun "npm run settings" and commit the result.`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(join(root, file), after);
    console.log(`Written: ${file}`);
  }
}

/** @throws when the text has no such table. */
function replaceTable(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start === -1 || stop < start)
    throw new Error(`There must be lines "${begin}" and "${end}" around a table.`);
  return `${text.slice(0, start + begin.length)}\n${table}\n${text.slice(stop)}`;
}

function tableOf(settings: Settings): string {
  const rows = Object.values(settings).map(
    (setting) => `| \`${setting.variable}\` | ${defaultTextOf(setting)} | ${setting.description} |`,
  );
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

function commandTable(): string {
  const program = createProgram(process, async () => {});
  const rows = program.commands.flatMap((command) => commandRows(command, ""));
  return ["| Command | What it does | Options |", "|---|---|---|", ...rows].join("\n");
}

/** Of a command that does something, or of those that a group holds. */
function commandRows(command: Command, group: string): string[] {
  const name = `${group}${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((one) => commandRows(one, `${name} `));
  const given = command.registeredArguments.map((argument) => ` <${argument.name()}>`).join("");
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(
      ({ flags, description, mandatory }) => `\`${flags}\`${mandatory ? " (required)" : ""}: ${description}`,
    );
  const cells = [`\`${name}${given}\``, command.description(), options.join("; ") || "–"];
  return [`| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`];
}

function defaultTextOf({ variable, default: value, defaultText }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  if (value === null) return "none";
  if (typeof value === "string" || typeof value === "number") return `\`${value}\``;
  throw new Error(`${variable} needs a defaultText.`);
}

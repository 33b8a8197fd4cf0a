import Table from "cli-table3";
import { type Machine, machineLine } from "./machine.ts";
import type { Result, Target, Unit } from "./result.ts";

/** Everything that a run found; what is written as JSON. */
export interface Report {
  readonly startedAt: string;
  readonly machine: Machine;
  /** Environment of the service, where it differs from its defaults. */
  readonly serviceSettings: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly secondsPerMeasurement: number;
  readonly connections: number;
  readonly results: readonly Result[];
  readonly auditPassed: boolean;
  readonly totalSeconds: number;
}

const HEAD = ["Figure", "Service", "Floor", "Result", "Target", "", "CPU, service", "CPU, floor"];

/** The report as a table for a terminal. */
export function toText(report: Report): string {
  const table = new Table({
    head: HEAD,
    style: { head: [], border: [], compact: true },
    colAligns: ["left", "right", "left", "right", "right", "left", "right", "right"],
  });
  table.push(...report.results.map(cells));
  return `${table.toString()}\n${footer(report).join("\n")}`;
}

/** The report as a Markdown table. */
export function toMarkdown(report: Report): string {
  const rows = [
    HEAD,
    ["---", "---:", "---", "---:", "---:", "---", "---:", "---:"],
    ...report.results.map(cells),
  ];
  const table = rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
  return `${table}\n\n${footer(report).join("  \n")}`;
}

/** One result in one line, shown while the others are measured. */
export function toLine(result: Result): string {
  const [name, measured, floor, value, target, verdict, cpu, floorCpu] = cells(result);
  return `${name}: ${measured}, floor ${floor}: ${value}, to reach ${target}: ${verdict}; CPU ${cpu}, floor ${floorCpu}`;
}

function cells({ name, unit, measured, floor, value, target, met, cpuMicroseconds }: Result): string[] {
  return [
    name,
    quantity(measured, unit),
    floor === null ? "–" : `${quantity(floor.measured, unit)} (${floor.description})`,
    floor === null ? quantity(value, unit) : value.toFixed(2),
    floor === null ? targetText(target, unit) : targetText(target),
    met ? "met" : "missed",
    cpuTime(cpuMicroseconds?.measured),
    cpuTime(cpuMicroseconds?.floor),
  ];
}

function cpuTime(microseconds: number | null | undefined): string {
  return typeof microseconds === "number" ? `${Math.round(microseconds)} µs` : "–";
}

function footer(report: Report): string[] {
  const settings = Object.entries(report.serviceSettings).map(([name, value]) => `${name}=${value}`);
  return [
    `Machine: ${machineLine(report.machine)}.`,
    `Service: one process, ${settings.join(", ")}; ${report.connections} connections; median of ${report.rounds} ` +
      `rounds of ${report.secondsPerMeasurement} s each; ${Math.round(report.totalSeconds)} s in all.`,
    `Audit of the books after it: ${report.auditPassed ? "passed" : "FAILED"}.`,
  ];
}

function quantity(value: number, unit: Unit): string {
  const digits = unit === "ms" ? 2 : unit === "s" ? 1 : 0;
  return `${value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

function targetText(target: Target, unit?: Unit): string {
  const [sign, value] = "atLeast" in target ? ["≥", target.atLeast] : ["≤", target.atMost];
  return `${sign} ${unit === undefined ? value : quantity(value, unit)}`;
}

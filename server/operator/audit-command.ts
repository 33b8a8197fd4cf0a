import type { Command } from "commander";
import type { AuditCheck } from "../audit/audit.ts";
import { addCommand, type Run } from "./command.ts";
import { printable, type Report, table } from "./report.ts";

/** `audit`. */
export function addAuditCommand(program: Command, run: Run): void {
  addCommand(program, "audit", "check that the books agree; exit code 1 and the rows in question otherwise", [
    "audit",
    "audit --json",
  ]).action(() => run(async ({ audit }) => auditReport(await audit.run())));
}

function auditReport({ ok, checks }: { ok: boolean; checks: readonly AuditCheck[] }): Report {
  const failed = checks.filter((check) => !check.ok);
  const summary = table(
    ["Check", "Result", ">Rows in question"],
    checks.map((check) => [check.name, check.ok ? "ok" : "FAILED", check.rows.length]),
    "",
  );
  const json = { ok, checks: checks.map(({ name, ok, rows }) => ({ name, ok, rows })) };
  const text = [summary, ...failed.map(rowsOf)].join("\n\n");
  if (ok) return { json, text };
  return {
    json,
    text,
    failure:
      `error: the books do not agree: ${failed.map((check) => check.name).join(", ")}.\n` +
      "Next step: correct nothing by hand yet; keep a backup, then follow the rows above to what wrote them.",
  };
}

function rowsOf({ name, rows }: AuditCheck): string {
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([column, value]) => `${column}=${printable(String(value))}`)
      .join(" "),
  );
  return `${name}:\n  ${lines.join("\n  ")}`;
}

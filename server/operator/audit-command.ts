import { type Command, InvalidArgumentError } from "commander";
import type { NotedEnd } from "../actions/check-chain.ts";
import type { AuditCheck, Audited } from "../audit/audit.ts";
import type { Encryption } from "../encryption/encryption.ts";
import type { CodeAudit } from "../encryption/open-all-codes.ts";
import { text } from "./arguments.ts";
import { addCommand, PROGRAM_NAME, type Run, type Streams } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { createProgressBar } from "./progress-bar.ts";
import { details, printable, type Report, table } from "./report.ts";

/** `audit`. */
export function addAuditCommand(program: Command, run: Run): void {
  addCommand(program, "audit", "check that the books agree; exit code 1 and the rows in question otherwise", [
    "audit",
    "audit --json",
    "audit --codes",
  ])
    .option(
      "--codes",
      "open every code instead, sold or not; Ctrl-C breaks it off, and it can be gone on with",
    )
    .option(
      "--actions-end <number:hash>",
      "as an earlier audit printed it: prove that the log of actions up to there is what it was",
      notedEnd,
    )
    .option("--from <place>", "with --codes: go on where a run was broken off", text)
    .action(({ codes, from, actionsEnd }: AuditOptions) =>
      run(async ({ audit, encryption }, { stderr }) => {
        if (codes) return openAllCodes(encryption, stderr, from);
        if (from === undefined) return auditReport(await audit.run(actionsEnd ?? null));
        throw new OperatorError("--from is for --codes.", `${PROGRAM_NAME} audit --codes --from ${from}`);
      }),
    );
}

interface AuditOptions {
  codes?: true;
  from?: string;
  actionsEnd?: NotedEnd;
}

function notedEnd(text: string): NotedEnd {
  const [, digits, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (digits !== undefined && hash !== undefined) return { sequence: BigInt(digits), hash };
  throw new InvalidArgumentError("Write it as an audit printed it: a number, a colon and 64 hex digits.");
}

async function openAllCodes(
  encryption: Encryption,
  stderr: Streams["stderr"],
  from: string | undefined,
): Promise<Report> {
  const bar = createProgressBar(stderr);
  const breakOff = new AbortController();
  const abort = () => breakOff.abort();
  process.once("SIGINT", abort);
  try {
    return codeReport(
      await encryption.openAllCodes({
        from,
        signal: breakOff.signal,
        onProgress: ({ opened, total }) =>
          bar.show(
            from === undefined ? opened / Math.max(total, 1) : null,
            `${opened.toLocaleString("en-US")} codes opened`,
          ),
      }),
    );
  } finally {
    process.removeListener("SIGINT", abort);
    bar.clear();
  }
}

function codeReport({ codes, unreadable, places, continueFrom }: CodeAudit): Report {
  const json = { ok: unreadable === 0 && continueFrom === null, codes, unreadable, places, continueFrom };
  const report = {
    json,
    text: [details({ Codes: codes, "Cannot be opened": unreadable }), ...places].join("\n"),
  };
  const failures: string[] = [];
  if (unreadable > 0) {
    failures.push(
      `error: ${unreadable} codes cannot be opened; the first of them are above.`,
      "Next step: restore them from a backup. None of them is sold: the first order that meets one sets its import aside; " +
        `${PROGRAM_NAME} stock recall takes the rest of it out of sale now.`,
    );
  }
  if (continueFrom !== null) {
    failures.push(
      "error: it was broken off before the end.",
      `Next step: go on with: ${PROGRAM_NAME} audit --codes --from ${continueFrom}`,
    );
  }
  return failures.length === 0 ? report : { ...report, failure: failures.join("\n") };
}

function auditReport({ ok, checks, actionsEnd }: Audited): Report {
  const failed = checks.filter((check) => !check.ok);
  const summary = table(
    ["Check", "Result", ">Rows in question"],
    checks.map((check) => [check.name, check.ok ? "ok" : "FAILED", check.rows.length]),
    "",
  );
  const end = `${actionsEnd.sequence}:${actionsEnd.hash}`;
  const json = { ok, checks: checks.map(({ name, ok, rows }) => ({ name, ok, rows })), actionsEnd: end };
  const noted = `The log of actions ends with ${end}\nKeep this line elsewhere: audit --actions-end proves later that nothing before it was changed.`;
  const text = [summary, ...failed.map(rowsOf), noted].join("\n\n");
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

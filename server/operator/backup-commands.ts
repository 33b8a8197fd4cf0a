import type { Command } from "commander";
import type { Manifest } from "../backup/manifest.ts";
import type { Restored } from "../backup/restore-backup.ts";
import type { Services } from "../compose.ts";
import { DomainError } from "../errors.ts";
import { text } from "./arguments.ts";
import { addCommand, PROGRAM_NAME, type Run, type Streams } from "./command.ts";
import { createProgressBar } from "./progress-bar.ts";
import { details, type Report } from "./report.ts";

interface RestoreOptions {
  from: string;
  replace?: true;
}

/** `backup`, `restore`. */
export function addBackupCommands(program: Command, run: Run): void {
  addCommand(program, "backup", "write one consistent snapshot of the database into a new folder", [
    "backup --to /var/backups/shop/2026-07-01",
  ])
    .requiredOption("--to <folder>", "a folder that does not exist yet", text)
    .addHelpText(
      "after",
      "\nThe shop may run meanwhile. The encryption keys are not in it, and without them the codes are lost: keep them elsewhere.",
    )
    .action(({ to }: { to: string }) => run((services, streams) => backup(services, streams, to)));

  addCommand(program, "restore", "put a backup into an empty database, bring it up to date and audit it", [
    "restore --from /var/backups/shop/2026-07-01",
  ])
    .requiredOption("--from <folder>", "the folder that backup made", text)
    .option("--replace", "delete everything that the database holds; without it only an empty one is taken")
    .addHelpText("after", "\nStop the shop first, and run after-loss before it sells again.")
    .action((options: RestoreOptions) => run((services, streams) => restore(services, streams, options)));
}

async function backup({ backups }: Services, { stderr }: Streams, folder: string): Promise<Report> {
  const bar = createProgressBar(stderr);
  try {
    const manifest = await backups.take(folder, (rows, table) =>
      bar.show(null, `${count(rows)} rows, ${table}`),
    );
    const json = { folder, ...manifest };
    const shown = details({ Folder: folder, ...facts(manifest), Bytes: count(manifest.data.bytes) });
    return { json, text: `${shown}\n\nThe encryption keys are not in it: keep CODE_ENCRYPTION_KEYS apart.` };
  } finally {
    bar.clear();
  }
}

async function restore(
  services: Services,
  { stderr }: Streams,
  { from, replace }: RestoreOptions,
): Promise<Report> {
  const bar = createProgressBar(stderr);
  try {
    const restored = await services.backups.restore({
      folder: from,
      replace: replace === true,
      onRows: (rows, table) => bar.show(null, `${count(rows)} rows, ${table}`),
    });
    bar.show(null, "checking the books");
    const { ok, checks } = await services.audit.run();
    const failing = checks.filter((check) => !check.ok).map(({ name }) => name);
    return restoredReport(restored, { failing, ok, keyFault: await keyFaultOf(services) });
  } finally {
    bar.clear();
  }
}

/** Why what is encrypted cannot be opened; null when it can. */
async function keyFaultOf({ stock, suppliers }: Services): Promise<string | null> {
  try {
    await stock.checkEncryptionKeys();
    await suppliers.checkEncryptionKeys();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

function restoredReport(
  { manifest, migrated }: Restored,
  { failing, ok, keyFault }: { failing: readonly string[]; ok: boolean; keyFault: string | null },
): Report {
  const drill = `${PROGRAM_NAME} after-loss --since ${manifest.takenAt}`;
  const json = {
    ...manifest,
    migrated,
    audit: { ok, failing },
    keysOpenTheCodes: keyFault === null,
    nextStep: drill,
  };
  const shown = details({
    ...facts(manifest),
    "Migrations run": migrated.length === 0 ? "none" : migrated.join(", "),
    Audit: ok ? "ok" : `FAILED: ${failing.join(", ")}`,
    "Encryption keys": keyFault === null ? "ok" : "WRONG",
  });
  const next = `Next step, unless nothing was sold since, before the shop is started: ${drill}`;
  const faults = [
    ...(ok ? [] : [`error: the books do not agree: see ${PROGRAM_NAME} audit`]),
    ...(keyFault === null ? [] : [`error: ${keyFault}`]),
  ];
  const report = { json, text: `${shown}\n\n${next}` };
  return faults.length === 0 ? report : { ...report, failure: `${faults.join("\n")}\n${next}` };
}

function facts({ takenAt, server, migrations, rows }: Manifest) {
  const total = Object.values(rows).reduce((sum, one) => sum + one, 0);
  return {
    "Taken at": takenAt,
    Server: server,
    Schema: migrations.at(-1) ?? null,
    Tables: Object.keys(rows).length,
    Rows: count(total),
  };
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

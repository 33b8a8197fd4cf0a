import type { Manifest } from "./manifest.ts";
import { type Restored, type RestoreRequest, restoreBackup } from "./restore-backup.ts";
import { type BackupDependencies, type OnRows, takeBackup } from "./take-backup.ts";

/** Backups of the whole database, and the way back. See README.md. */
export function createBackups(dependencies: BackupDependencies) {
  return {
    /** See {@link takeBackup}. */
    take: (folder: string, onRows: OnRows = () => {}): Promise<Manifest> =>
      takeBackup(dependencies, folder, onRows),

    /** See {@link restoreBackup}. */
    restore: (request: RestoreRequest): Promise<Restored> => restoreBackup(dependencies.database, request),
  };
}

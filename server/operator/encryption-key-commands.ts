import type { Command } from "commander";
import type { Rotation } from "../encryption/rotate-keys.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run } from "./command.ts";
import { createProgressBar } from "./progress-bar.ts";
import { details, type Report } from "./report.ts";

/** `encryption-key rotate`. */
export function addEncryptionKeyCommands(program: Command, run: Run): void {
  const group = addGroup(
    program,
    "encryption-key",
    "CODE_ENCRYPTION_KEYS, which codes and suppliers' keys are encrypted with",
  );

  addCommand(group, "rotate", "encrypt everything anew with the first key, while the shop runs", [
    "encryption-key rotate",
  ])
    .addHelpText(
      "after",
      "\nEvery process of the shop must have the same first key before; those that run and do not are named, and nothing is " +
        "changed. A run that was broken off is simply repeated: what is done is left.",
    )
    .action(() =>
      run(async ({ encryption }, { stderr }) => {
        const bar = createProgressBar(stderr);
        try {
          return rotationReport(
            await encryption.rotate(({ done, total }) =>
              bar.show(done / Math.max(total, 1), `${count(done)} of ${count(total)}`),
            ),
          );
        } finally {
          bar.clear();
        }
      }),
    );
}

function rotationReport(rotation: Rotation): Report {
  const { currentKeyId, resealed, unreadable, places } = rotation;
  const complete = rotation.complete && unreadable === 0;
  const text = details({
    "Encryption key": currentKeyId,
    "Encrypted anew": resealed,
    "Cannot be opened": unreadable,
    Complete: complete ? "yes: the other keys may be taken away" : "no",
  });
  const failures = failuresOf(rotation);
  return {
    json: { encryptionKeyId: currentKeyId, resealed, unreadable, places, complete },
    text: [text, ...places].join("\n"),
    ...(failures.length > 0 && { failure: failures.join("\n") }),
  };
}

function failuresOf({ unreadable, complete }: Rotation): string[] {
  const failures: string[] = [];
  if (!complete) {
    failures.push(
      "error: something is still encrypted with another key: an import runs with it, or a process of the shop has it first.\n" +
        `Next step: wait for the import, put the new key first on every process, then repeat: ${PROGRAM_NAME} encryption-key rotate`,
    );
  }
  if (unreadable > 0) {
    failures.push(
      `error: ${unreadable} cannot be opened with any key, and were left as they are.\n` +
        `Next step: restore them from a backup if you can, and repeat: ${PROGRAM_NAME} encryption-key rotate; keep the other ` +
        "keys until then.",
    );
  }
  return failures;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

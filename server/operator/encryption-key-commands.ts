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
      "\nEvery process of the shop must have the same first key before. A run that was broken off is simply repeated: " +
        "what is done is left.",
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

function rotationReport({ currentKeyId, resealed, unreadable, places, complete }: Rotation): Report {
  const json = { encryptionKeyId: currentKeyId, resealed, unreadable, places, complete };
  const text = details({
    "Encryption key": currentKeyId,
    "Encrypted anew": resealed,
    "Cannot be opened": unreadable,
    Complete: complete ? "yes: the other keys may be taken away" : "no",
  });
  if (!complete) {
    return {
      json,
      text,
      failure:
        "error: something is still encrypted with another key: an import runs with it, or a process of the shop has it first.\n" +
        `Next step: wait for the import, put the new key first on every process, then repeat: ${PROGRAM_NAME} encryption-key rotate`,
    };
  }
  if (unreadable === 0) return { json, text };
  return {
    json,
    text: [text, ...places].join("\n"),
    failure:
      `error: ${unreadable} cannot be opened with any key, and were left as they are.\n` +
      "Next step: restore them from a backup if you can; keep the other keys until then.",
  };
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

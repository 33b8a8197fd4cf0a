import { DomainError } from "../errors.ts";

/** Processes of the service that run do not encrypt with the key that everything is to be encrypted with. */
export class ProcessesWithOtherKeysError extends DomainError {
  readonly code = "processes_with_other_keys";

  /** @param processes where they run, and whether they can at least open what is encrypted with it. */
  constructor(keyId: string, processes: readonly { readonly name: string; readonly hasKey: boolean }[]) {
    const each = processes.map(
      ({ name, hasKey }) => `${name} ${hasKey ? "does not have it first" : "lacks it"}`,
    );
    super(
      `Every process of the shop must encrypt with the key ${JSON.stringify(keyId)} before the rest is: ${each.join("; ")}.`,
    );
  }
}

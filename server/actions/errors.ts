import { DomainError } from "../errors.ts";

/** Somebody has changed the log of actions by hand; what would be recorded next is not done. */
export class ActionChainBrokenError extends DomainError {
  readonly code = "action_chain_broken";

  constructor() {
    super("The log of operators' actions does not end where it says, so nothing can be added to it.");
  }
}

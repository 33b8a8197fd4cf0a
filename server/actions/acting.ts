import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../clock.ts";
import type { OperatorActor } from "./action.ts";

/** Who acts at the moment, and by which request. */
export interface Acting {
  readonly by: OperatorActor;
  /** Of a command line, one that it has made for itself. */
  readonly requestId: string;
  readonly clock: Clock;
}

const present = new AsyncLocalStorage<Acting>();

/** Does work as an operator's: what it changes is recorded as theirs. */
export function actAs<T>(acting: Acting, work: () => Promise<T>): Promise<T> {
  return present.run(acting, work);
}

/** Whose work this is; null: no operator's, but a buyer's or the shop's own. */
export function presentActing(): Acting | null {
  return present.getStore() ?? null;
}

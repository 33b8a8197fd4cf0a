import type { Session } from "../database/database.ts";
import { type ChainEnd, type ChainedAction, NO_ACTIONS } from "./action.ts";
import { findChainEnd, listActionsAfter, listActionsBeyondEnd } from "./action-store.ts";
import { hashAction } from "./hash-action.ts";

const ACTIONS_AT_ONCE = 1_000;

/** What an operator has noted of the chain at some time: that action's number and hash, in hex digits. */
export interface NotedEnd {
  readonly sequence: bigint;
  readonly hash: string;
}

/** Something that is wrong with the chain, and at which action. */
export interface ChainFault {
  readonly sequence: bigint;
  readonly fault: "changed" | "missing" | "not_after_the_one_before" | "beyond_the_end" | "not_the_noted_one";
}

/** What came of looking at the whole chain. */
export interface CheckedChain {
  /** Where it ended when it was looked at. */
  readonly end: NotedEnd;
  /** The first so many. */
  readonly faults: readonly ChainFault[];
}

/**
 * Follows the chain of actions from the first to its end, a portion after the other, while more are added.
 * @param noted the end of an earlier look, which is in the chain still unless it was made anew or cut off.
 */
export async function checkChain(
  session: Session,
  { noted, maxFaults }: { noted: NotedEnd | null; maxFaults: number },
): Promise<CheckedChain> {
  const end = (await findChainEnd(session)) ?? NO_ACTIONS;
  const faults: ChainFault[] = [];
  let last: ChainEnd = NO_ACTIONS;
  let isNotedFound = noted === null || noted.sequence === 0n;
  while (last.sequence < end.sequence && faults.length < maxFaults) {
    const actions = await listActionsAfter(session, last.sequence, ACTIONS_AT_ONCE);
    for (const action of actions) {
      if (action.sequence > end.sequence) break;
      faults.push(...faultsOf(action, last));
      if (action.sequence === noted?.sequence) isNotedFound = action.hash.toString("hex") === noted.hash;
      last = action;
    }
    if (actions.length < ACTIONS_AT_ONCE) break;
  }
  if (faults.length < maxFaults) {
    faults.push(...faultsAtEnd(last, end));
    const beyond = await listActionsBeyondEnd(session, maxFaults);
    faults.push(...beyond.map((sequence): ChainFault => ({ sequence, fault: "beyond_the_end" })));
    if (noted !== null && !isNotedFound)
      faults.push({ sequence: noted.sequence, fault: "not_the_noted_one" });
  }
  return {
    end: { sequence: end.sequence, hash: end.hash.toString("hex") },
    faults: faults.slice(0, maxFaults),
  };
}

function faultsOf(action: ChainedAction, before: ChainEnd): ChainFault[] {
  const { sequence, previousHash, hash } = action;
  const faults: ChainFault[] = [];
  if (sequence !== before.sequence + 1n) faults.push({ sequence: before.sequence + 1n, fault: "missing" });
  else if (!previousHash.equals(before.hash)) faults.push({ sequence, fault: "not_after_the_one_before" });
  if (!hashAction(previousHash, action).equals(hash)) faults.push({ sequence, fault: "changed" });
  return faults;
}

/** Whether the last action is the one that the chain ends with. */
function faultsAtEnd(last: ChainEnd, end: ChainEnd): ChainFault[] {
  if (last.sequence < end.sequence) return [{ sequence: last.sequence + 1n, fault: "missing" }];
  return last.hash.equals(end.hash) ? [] : [{ sequence: last.sequence, fault: "changed" }];
}

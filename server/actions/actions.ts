import type { Database } from "../database/database.ts";
import { InvalidInputError } from "../errors.ts";
import type { Action } from "./action.ts";
import { type ActionFilter, firstActionFrom, listActions } from "./action-store.ts";

/** No action has a greater number. */
const LAST_SEQUENCE = 2n ** 63n - 1n;

/** What the list of actions needs. */
export interface ActionsDependencies {
  readonly database: Database;
}

/** Which page of the actions is wanted. */
export interface ActionPageRequest extends ActionFilter {
  readonly limit: number;
  readonly fromMs?: number | undefined;
  /** Only before this moment. */
  readonly toMs?: number | undefined;
  /** Where an earlier page ended; the first page when not given. */
  readonly cursor?: string | undefined;
}

/** One page of the actions. */
export interface ActionPage {
  readonly actions: readonly Action[];
  /** Continues the list; null on the last page. */
  readonly nextCursor: string | null;
}

/** What operators have done; see `record-action.ts` for how it comes there. */
export function createActions({ database }: ActionsDependencies) {
  return {
    /** A page of the actions, newest first. @throws {InvalidInputError} the cursor is none that this list gave. */
    async page({ limit, cursor, fromMs, toMs, ...filter }: ActionPageRequest): Promise<ActionPage> {
      const shown = cursor === undefined ? LAST_SEQUENCE : sequenceIn(cursor);
      const end = toMs === undefined ? null : await firstActionFrom(database, toMs);
      const before = end !== null && end < shown ? end : shown;
      const first = fromMs === undefined ? 0n : await firstActionFrom(database, fromMs);
      if (first === null) return { actions: [], nextCursor: null };
      // One more than is shown tells whether the list goes on.
      const found = await listActions(database, filter, { from: first, before, limit: limit + 1 });
      const actions = found.slice(0, limit);
      const last = actions.at(-1);
      return { actions, nextCursor: found.length > limit && last ? `opa_${last.sequence}` : null };
    },
  };
}

/** The action that a page ended with. @throws {InvalidInputError} */
function sequenceIn(cursor: string): bigint {
  const [, digits] = /^opa_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  if (digits === undefined)
    throw new InvalidInputError("The cursor is none that this list gave. Begin again without a cursor.");
  return BigInt(digits);
}

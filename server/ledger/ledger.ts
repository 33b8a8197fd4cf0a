import { findAccount } from "../accounts/account-store.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Operation } from "../actions/action.ts";
import { recordAction } from "../actions/record-action.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError, DatabaseUnavailableError, isDuplicateKey } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, InvalidFieldError, InvalidInputError, NotFoundError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { add, formatUsd, MAX_ACCOUNT_MICROCENTS, type Microcents, negate } from "../money/microcents.ts";
import { timeZone } from "../time-zone.ts";
import { entriesBefore } from "./entries-before.ts";
import type { OpenedHold } from "./funds.ts";
import { book } from "./funds-store.ts";
import { listOpenHolds } from "./hold-store.ts";
import type { LedgerEntry, NewLedgerEntry } from "./ledger-entry.ts";
import { findEntry, listEntries, listEntriesUpTo } from "./ledger-store.ts";
import { type Month, type Statement, statementOf } from "./statement.ts";

const MAX_REFERENCE_BYTES = 256;
const MAX_NOTE_LENGTH = 1_000;
/** No entry has a greater one. */
const LAST_SEQUENCE = 2n ** 63n - 1n;
/** Times count from 1970 on. */
const FIRST_YEAR = 1971;
const TOO_MUCH = `An account cannot hold or be topped up by more than ${formatUsd(MAX_ACCOUNT_MICROCENTS)} USD.`;

/** What the ledger needs. */
export interface LedgerDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
}

/** What a booking led to; `repeated` when the same reference had been booked before and nothing was changed now. */
export interface BookingResult {
  readonly entry: LedgerEntry;
  readonly repeated: boolean;
}

/** Which page of an account's entries is wanted. */
export interface LedgerPageRequest {
  readonly limit: number;
  /** Where an earlier page ended; the first page when not given. */
  readonly cursor?: string | undefined;
  /** Only what came to the ledger from this moment on, and before that one: the entries of its file and its statements. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** One page of an account's entries. */
export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Continues the list; null on the last page. */
  readonly nextCursor: string | null;
}

export type Ledger = ReturnType<typeof createLedger>;

/** What an operator can do with an account's money, and the record of all that was done. */
export function createLedger({ database, clock, accounts }: LedgerDependencies) {
  return {
    /** What is held for an account's orders, the oldest first. */
    holds: (accountId: AccountId, limit: number): Promise<OpenedHold[]> =>
      listOpenHolds(database, accountId, limit),

    /**
     * Credits a payment; it counts towards the level. Idempotent on the reference.
     * @throws {NotFoundError} no such account. @throws {InvalidInputError} @throws {ConflictError} the reference was
     *   used for another amount.
     */
    async topUp(request: {
      accountId: AccountId;
      amountMicrocents: Microcents;
      reference: string;
    }): Promise<BookingResult> {
      if (request.amountMicrocents <= 0n) throw new InvalidInputError("A top-up is an amount above zero.");
      return bookOnce(database, { ...request, type: "top_up", note: null, createdAtMs: clock() });
    },

    /**
     * Corrects the balance up or down, with no effect on the level. Idempotent on the reference.
     * @throws {NotFoundError} no such account. @throws {InvalidInputError} also when more would be taken than is
     *   available. @throws {ConflictError} the reference was used for another amount.
     */
    async adjust(request: {
      accountId: AccountId;
      amountMicrocents: Microcents;
      reference: string;
      note: string;
    }): Promise<BookingResult> {
      if (request.amountMicrocents === 0n)
        throw new InvalidInputError("An adjustment is an amount other than zero.");
      if (request.note.trim() === "" || request.note.length > MAX_NOTE_LENGTH) {
        throw new InvalidInputError(`An adjustment's note has 1 to ${MAX_NOTE_LENGTH} characters.`);
      }
      return bookOnce(database, { ...request, type: "adjustment", createdAtMs: clock() });
    },

    /** An account's entries, newest first. @throws {NotFoundError} no such account. */
    async list(accountId: AccountId, limit: number): Promise<LedgerEntry[]> {
      await accounts.get(accountId);
      return listEntries(database, accountId, limit);
    },

    /**
     * A page of an account's entries, newest first. @throws {NotFoundError} no such account. @throws {InvalidInputError} the cursor
     * is none that this list gave.
     */
    async page(
      accountId: AccountId,
      { limit, cursor, fromMs, toMs }: LedgerPageRequest,
    ): Promise<LedgerPage> {
      const shown = cursor === undefined ? LAST_SEQUENCE : sequenceIn(cursor) - 1n;
      await accounts.get(accountId);
      const after = fromMs === undefined ? 0n : await entriesBefore(database, accountId, fromMs);
      const end = toMs === undefined ? LAST_SEQUENCE : await entriesBefore(database, accountId, toMs);
      const range = { after, upTo: shown < end ? shown : end };
      // One more than is shown tells whether the list goes on.
      const found = await listEntriesUpTo(database, accountId, range, limit + 1);
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      return { entries, nextCursor: found.length > limit && last ? `led_${last.sequence}` : null };
    },

    /**
     * What became of an account's balance in a month of a zone; see {@link statementOf}.
     * @throws {NotFoundError} no such account. @throws {InvalidFieldError} no such month or time zone.
     */
    async statement(accountId: AccountId, month: Month, zone: string): Promise<Statement> {
      if (month.year < FIRST_YEAR || month.month < 1 || month.month > 12)
        throw new InvalidFieldError("month", "There is no such month.");
      const known = timeZone(zone);
      await accounts.get(accountId);
      return statementOf(database, accountId, month, known);
    },
  };
}

/** The entry that a page ended with. @throws {InvalidInputError} */
function sequenceIn(cursor: string): bigint {
  const [, digits] = /^led_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  if (digits === undefined)
    throw new InvalidInputError("The cursor is none that this list gave. Begin again without a cursor.");
  return BigInt(digits);
}

/** Books an entry unless its reference was booked before; a lost connection is resolved by looking again. */
async function bookOnce(database: Database, newEntry: NewLedgerEntry): Promise<BookingResult> {
  const referenceBytes = Buffer.byteLength(newEntry.reference);
  if (newEntry.reference.trim() === "" || referenceBytes > MAX_REFERENCE_BYTES) {
    throw new InvalidInputError(`A reference has 1 to ${MAX_REFERENCE_BYTES} bytes.`);
  }
  if (
    newEntry.amountMicrocents > MAX_ACCOUNT_MICROCENTS ||
    newEntry.amountMicrocents < -MAX_ACCOUNT_MICROCENTS
  ) {
    throw new InvalidInputError(TOO_MUCH);
  }
  const earlier = await repeatedEntry(database, newEntry);
  if (earlier !== null) return { entry: earlier, repeated: true };
  try {
    const entry = await transaction(database, (tx) => bookInTransaction(tx, newEntry));
    return { entry, repeated: false };
  } catch (error) {
    if (!isDuplicateKey(error) && !(error instanceof CommitOutcomeUnknownError)) throw error;
    const winner = await repeatedEntry(database, newEntry).catch((fault: unknown) => {
      // Where it cannot be asked, the outcome stays unknown.
      throw isDuplicateKey(error) || !(fault instanceof DatabaseUnavailableError) ? fault : error;
    });
    if (winner === null) throw error;
    return { entry: winner, repeated: isDuplicateKey(error) };
  }
}

async function bookInTransaction(tx: Transaction, newEntry: NewLedgerEntry): Promise<LedgerEntry> {
  if (!(await book(tx, newEntry))) throw await refusal(tx, newEntry);
  const entry = await findEntry(tx, newEntry.accountId, newEntry.type, newEntry.reference);
  if (entry === null) throw new Error("A ledger entry vanished from its own transaction.");
  await recordBooking(tx, entry);
  return entry;
}

async function recordBooking(tx: Transaction, entry: LedgerEntry): Promise<void> {
  const {
    accountId: targetId,
    type,
    amountMicrocents,
    balanceAfterMicrocents,
    reference,
    note: reason,
  } = entry;
  const operation: Operation = type === "top_up" ? "topUpAccount" : "adjustBalance";
  const after = { amountMicrocents, balanceAfterMicrocents, reference };
  await recordAction(tx, { operation, targetId, after, reason });
}

async function repeatedEntry(database: Database, newEntry: NewLedgerEntry): Promise<LedgerEntry | null> {
  const entry = await findEntry(database, newEntry.accountId, newEntry.type, newEntry.reference);
  if (entry !== null && entry.amountMicrocents !== newEntry.amountMicrocents) {
    throw new ConflictError(
      `The reference ${JSON.stringify(newEntry.reference)} was used for ${formatUsd(entry.amountMicrocents)} USD. ` +
        "Use another reference for another amount.",
      { reference: newEntry.reference, amount: formatUsd(entry.amountMicrocents) },
    );
  }
  return entry;
}

async function refusal(tx: Transaction, { accountId, amountMicrocents }: NewLedgerEntry): Promise<Error> {
  const account = await findAccount(tx, accountId);
  if (account === null) return new NotFoundError("account", accountId);
  const { balanceMicrocents, scoreMicrocents } = account;
  const highest = balanceMicrocents > scoreMicrocents ? balanceMicrocents : scoreMicrocents;
  if (add(highest, amountMicrocents) > MAX_ACCOUNT_MICROCENTS) {
    return new InvalidInputError(
      `An account cannot hold more than ${formatUsd(MAX_ACCOUNT_MICROCENTS)} USD.`,
    );
  }
  return new InvalidInputError(
    `The account's available balance does not cover ${formatUsd(negate(amountMicrocents))} USD.`,
  );
}

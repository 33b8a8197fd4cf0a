import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { add, type Microcents, negate, subtract } from "../money/microcents.ts";
import type { LackingFunds } from "./errors.ts";
import { type Funds, type FundsByAccount, lockFunds, type NumberedEntry, writeFunds } from "./funds-store.ts";
import type { LedgerEntryType } from "./ledger-entry.ts";

/** Money of an account that is set aside for one order or call, named by its reference, until it is known what it costs. */
export interface Hold {
  readonly accountId: AccountId;
  /** The id of the order or call that it is for. */
  readonly reference: string;
  readonly amountMicrocents: Microcents;
}

/** A hold that begins. */
export interface OpenedHold extends Hold {
  readonly openedAtMs: number;
}

/** Money that an account pays at once, with nothing set aside for it before. */
export interface DirectCharge extends Omit<Hold, "amountMicrocents"> {
  readonly chargeMicrocents: Microcents;
  /** The time of the ledger entry. */
  readonly createdAtMs: number;
}

/** A hold that ends, and what it came to: also more than was held; zero only gives back what was held. */
export interface Settlement extends Hold, DirectCharge {}

/** What changes in the reserved money of accounts. */
interface Change {
  readonly settled: readonly Settlement[];
  readonly held: readonly Hold[];
}

/** Why a change cannot be made. */
export interface Shortage {
  /** Of an account whose available balance does not cover a hold; null when an account, or what it has reserved, is not there. */
  readonly funds: LackingFunds | null;
}

const NOT_THERE: Shortage = { funds: null };

/**
 * Charges at once what accounts pay for without a hold, and writes the ledger entries.
 * @param funds those of the accounts, whose rows are locked; null when one of them is not there.
 * @returns false when an available balance does not cover it.
 */
export async function charge(
  tx: Transaction,
  funds: FundsByAccount | null,
  payments: readonly DirectCharge[],
  type: LedgerEntryType,
): Promise<boolean> {
  if (funds === null) return false;
  const entries = payments.map((payment) => bookCharge(funds, payment, type));
  if (![...funds.values()].every(isCovered)) return false;
  await writeFunds(tx, funds, entries);
  return true;
}

/** Sets money aside; the funds are as of {@link charge}. @returns false when an available balance does not cover it. */
export async function holdFunds(
  tx: Transaction,
  funds: FundsByAccount | null,
  held: readonly Hold[],
): Promise<boolean> {
  if (funds === null || addHolds(funds, held) !== null) return false;
  await writeFunds(tx, funds);
  return true;
}

/**
 * Changes by so much what is set aside for what runs; amounts below zero give back. Never refused for lack of funds: more may then
 * be reserved than the balance is, and nothing is available. Takes the accounts' row locks.
 */
export async function changeHolds(tx: Transaction, changes: readonly Hold[]): Promise<void> {
  const funds = await lockFunds(tx, changes);
  if (funds === null) throw new Error("There is no such account.");
  addHolds(funds, changes);
  if ([...funds.values()].some(({ after }) => after.reserved_microcents < 0n))
    throw new Error("Less is reserved of an account than its holds are.");
  await writeFunds(tx, funds);
}

/**
 * Gives back what was set aside, charges what it came to, and writes the ledger entries. Never refused for lack of funds:
 * what is charged beyond a hold may take the balance below zero. Takes the accounts' row locks.
 */
export async function settle(
  tx: Transaction,
  settled: readonly Settlement[],
  type: LedgerEntryType,
): Promise<void> {
  if ((await settleAndHold(tx, { settled, held: [] }, type)) !== null)
    throw new Error("Less is reserved of an account than its holds are.");
}

/** {@link settle} and then {@link holdFunds}, in fewer statements. @returns why one of them would fail, or null. */
export async function settleAndHold(
  tx: Transaction,
  { settled, held }: Change,
  type: LedgerEntryType,
): Promise<Shortage | null> {
  const funds = await lockFunds(tx, [...settled, ...held]);
  if (funds === null || !removeHolds(funds, settled)) return NOT_THERE;
  const entries = settled
    .filter(({ chargeMicrocents }) => chargeMicrocents !== 0n)
    .map((settlement) => bookCharge(funds, settlement, type));
  const shortage = addHolds(funds, held);
  if (shortage === null) await writeFunds(tx, funds, entries);
  return shortage;
}

function bookCharge(
  funds: FundsByAccount,
  { accountId, reference, chargeMicrocents, createdAtMs }: DirectCharge,
  type: LedgerEntryType,
): NumberedEntry {
  const { after } = fundsOf(funds, accountId);
  after.balance_microcents = subtract(after.balance_microcents, chargeMicrocents);
  after.ledger_sequence += 1n;
  return {
    accountId,
    sequence: after.ledger_sequence,
    type,
    amountMicrocents: negate(chargeMicrocents),
    balanceAfterMicrocents: after.balance_microcents,
    reference,
    createdAtMs,
  };
}

/** @returns false when less is reserved than is to be given back. */
function removeHolds(funds: FundsByAccount, settled: readonly Settlement[]): boolean {
  return settled.every(({ accountId, amountMicrocents }) => {
    const { after } = fundsOf(funds, accountId);
    after.reserved_microcents = subtract(after.reserved_microcents, amountMicrocents);
    return after.reserved_microcents >= 0n;
  });
}

/** @returns the first available balance that does not cover its hold, or null. */
function addHolds(funds: FundsByAccount, held: readonly Hold[]): Shortage | null {
  let shortage: Shortage | null = null;
  for (const { accountId, amountMicrocents } of held) {
    const own = fundsOf(funds, accountId);
    const { balance_microcents: balance, reserved_microcents: reserved } = own.after;
    own.after.reserved_microcents = add(reserved, amountMicrocents);
    if (!isCovered(own)) {
      const availableMicrocents = subtract(balance, reserved);
      shortage ??= { funds: { availableMicrocents, reservedMicrocents: reserved } };
    }
  }
  return shortage;
}

function isCovered({ after }: Funds): boolean {
  return after.balance_microcents >= after.reserved_microcents;
}

function fundsOf(funds: FundsByAccount, accountId: AccountId): Funds {
  const own = funds.get(accountId);
  if (own === undefined) throw new Error(`The row of ${accountId} is not locked.`);
  return own;
}

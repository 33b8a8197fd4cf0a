import type { Parameter, Session } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import type { Transaction } from "../database/transaction.ts";
import { parseId } from "../ids.ts";
import { type ChainEnd, type ChainedAction, NO_ACTIONS } from "./action.ts";
import { ActionChainBrokenError } from "./errors.ts";

interface ActionRow {
  sequence: bigint;
  created_at_ms: bigint;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  operation: string;
  target_kind: string;
  target_id: string;
  state_before: string | null;
  state_after: string | null;
  reason: string | null;
  request_id: string;
  previous_hash: Buffer;
  hash: Buffer;
}

interface EndRow {
  sequence: bigint;
  hash: Buffer;
  created_at_ms: bigint;
}

/** What a list of actions is narrowed to; what is absent does not narrow. */
export interface ActionFilter {
  /** The id of who acted, or the name. */
  readonly actor?: string | undefined;
  readonly operation?: string | undefined;
  readonly targetKind?: string | undefined;
  readonly targetId?: string | undefined;
}

const COLUMNS = `sequence, created_at_ms, actor_kind, actor_id, actor_name, operation, target_kind, target_id, state_before,
  state_after, reason, request_id, previous_hash, hash`;
const END = "SELECT sequence, hash, created_at_ms FROM operator_action_head WHERE head_id = 1";

/** Locks the end of the chain until the transaction ends; the first time it makes it. @throws {ActionChainBrokenError} */
export async function lockChainEnd(tx: Transaction): Promise<ChainEnd> {
  const lock = async () => (await tx.rows<EndRow>(`${END} FOR UPDATE`))[0];
  const found = await lock();
  if (found !== undefined) return toEnd(found);
  await tx.change(
    `INSERT IGNORE INTO operator_action_head (head_id, sequence, hash, created_at_ms)
     SELECT 1, ?, ?, ? FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM operator_actions)`,
    [NO_ACTIONS.sequence, NO_ACTIONS.hash, NO_ACTIONS.createdAtMs],
  );
  const made = await lock();
  if (made === undefined) throw new ActionChainBrokenError();
  return toEnd(made);
}

/** Moves the locked end of the chain. */
export async function moveChainEnd(tx: Transaction, from: ChainEnd, to: ChainEnd): Promise<void> {
  const changed = await tx.change(
    "UPDATE operator_action_head SET sequence = ?, hash = ?, created_at_ms = ? WHERE head_id = 1 AND sequence = ?",
    [to.sequence, to.hash, to.createdAtMs, from.sequence],
  );
  if (changed !== 1) throw new Error("The end of the chain of actions was moved by somebody else.");
}

/** @throws {ActionChainBrokenError} there is one of its number. */
export async function insertAction(tx: Transaction, action: ChainedAction): Promise<void> {
  const { actor } = action;
  await tx
    .change(`INSERT INTO operator_actions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      ...[action.sequence, action.createdAtMs, actor.kind, actor.id, actor.name],
      ...[action.operation, action.targetKind, action.targetId, action.before, action.after],
      ...[action.reason, action.requestId, action.previousHash, action.hash],
    ])
    .catch((error: unknown) => {
      throw isDuplicateKey(error) ? new ActionChainBrokenError() : error;
    });
}

/** The end of the chain; null when nothing was ever recorded. */
export async function findChainEnd(session: Session): Promise<ChainEnd | null> {
  const [row] = await session.rows<EndRow>(END);
  return row === undefined ? null : toEnd(row);
}

/** Actions after a number, the oldest first. */
export async function listActionsAfter(
  session: Session,
  after: bigint,
  limit: number,
): Promise<ChainedAction[]> {
  const rows = await session.rows<ActionRow>(
    `SELECT ${COLUMNS} FROM operator_actions WHERE sequence > ? ORDER BY sequence LIMIT ?`,
    [after, limit],
  );
  return rows.map(toAction);
}

/** The first actions that are beyond the end of the chain, both as they are at one moment. */
export async function listActionsBeyondEnd(session: Session, limit: number): Promise<bigint[]> {
  const rows = await session.rows<{ sequence: bigint }>(
    `SELECT sequence FROM operator_actions
     WHERE sequence > COALESCE((SELECT sequence FROM operator_action_head WHERE head_id = 1), 0)
     ORDER BY sequence LIMIT ?`,
    [limit],
  );
  return rows.map(({ sequence }) => sequence);
}

/** Actions from a number on and before another, the newest first. */
export async function listActions(
  session: Session,
  filter: ActionFilter,
  { from, before, limit }: { from: bigint; before: bigint; limit: number },
): Promise<ChainedAction[]> {
  const { sql, values } = conditionsOf(filter);
  const rows = await session.rows<ActionRow>(
    `SELECT ${COLUMNS} FROM operator_actions WHERE sequence >= ? AND sequence < ?${sql} ORDER BY sequence DESC LIMIT ?`,
    [from, before, ...values, limit],
  );
  return rows.map(toAction);
}

/** The number of the first action from a moment on, times never going back; null: there is none. */
export async function firstActionFrom(session: Session, fromMs: number): Promise<bigint | null> {
  const [row] = await session.rows<{ sequence: bigint }>(
    "SELECT sequence FROM operator_actions WHERE created_at_ms >= ? ORDER BY created_at_ms, sequence LIMIT 1",
    [fromMs],
  );
  return row?.sequence ?? null;
}

function conditionsOf({ actor, operation, targetKind, targetId }: ActionFilter) {
  const conditions: [sql: string, values: readonly Parameter[]][] = [];
  // Each by its own index.
  const actorColumn = actor !== undefined && parseId("usr", actor) !== null ? "actor_id" : "actor_name";
  if (actor !== undefined) conditions.push([`${actorColumn} = ?`, [actor]]);
  if (operation !== undefined) conditions.push(["operation = ?", [operation]]);
  if (targetKind !== undefined) conditions.push(["target_kind = ?", [targetKind]]);
  if (targetId !== undefined) conditions.push(["target_id = ?", [targetId]]);
  return {
    sql: conditions.map(([sql]) => ` AND ${sql}`).join(""),
    values: conditions.flatMap(([, values]) => values),
  };
}

function toEnd({ sequence, hash, created_at_ms }: EndRow): ChainEnd {
  return { sequence: BigInt(sequence), hash, createdAtMs: Number(created_at_ms) };
}

function toAction(row: ActionRow): ChainedAction {
  return {
    sequence: BigInt(row.sequence),
    createdAtMs: Number(row.created_at_ms),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    operation: row.operation,
    targetKind: row.target_kind,
    targetId: row.target_id,
    before: row.state_before,
    after: row.state_after,
    reason: row.reason,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

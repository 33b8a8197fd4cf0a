import { setTimeout as delay } from "node:timers/promises";
import mysql, { type Connection, type ResultSetHeader, type RowDataPacket } from "mysql2/promise";
import { newId } from "../../../server/ids.ts";
import { serveQuestions } from "../child-process.ts";
import type { Load } from "../cpu-time.ts";

/** Who buys: an account and its key. */
export interface FloorBuyer {
  readonly accountId: string;
  readonly keyId: string;
}

/** What the floor works on. */
export interface OrderFloorSetting {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly productIds: readonly string[];
  readonly amountMicrocents: number;
}

/** One measurement: orders of these buyers for that long. */
export interface OrderFloorQuestion {
  readonly buyers: readonly FloorBuyer[];
  readonly seconds: number;
}

const MAX_ACCOUNT_MICROCENTS = Number.MAX_SAFE_INTEGER;
const DEADLOCK = 1213;

const ORDER_COLUMNS = [
  ...["order_id", "account_id", "external_order_id", "key_id", "product_id", "product_name", "qty"],
  ...["unit_price_microcents", "amount_microcents", "status", "redeem_url", "error_code", "spend_day"],
  ...["created_at_ms", "delivered_at_ms", "refunded_at_ms"],
];
const FIND_ORDER = `SELECT ${ORDER_COLUMNS.map((name) => `o.${name}`).join(", ")}, r.first_sequence, r.end_sequence
  FROM orders o
  LEFT JOIN order_code_ranges r ON r.order_id = o.order_id AND o.status = 'delivered'
  WHERE o.account_id = ? AND o.external_order_id = ? ORDER BY r.first_sequence`;
const FIND_CODES = `SELECT sequence, ciphertext FROM codes WHERE product_id = ? AND sequence >= ? AND sequence < ?
  ORDER BY sequence`;
const FIND_ACCOUNT = `SELECT account_id, name, status, rpm_limit, balance_microcents, reserved_microcents,
  score_microcents, created_at_ms FROM accounts WHERE account_id = ?`;
const FIND_PRODUCT = `SELECT product_id, slug, name, redeem_url, stock_mode, stock_cap, enabled, created_at_ms,
  level1_price_microcents, level2_price_microcents, level3_price_microcents, level4_price_microcents,
  level5_price_microcents FROM products WHERE product_id = ?`;
const INSERT_ORDER = `INSERT INTO orders (${ORDER_COLUMNS.join(", ")})
  VALUES (${ORDER_COLUMNS.map(() => "?").join(", ")})`;
const LOCK_SEGMENTS = `SELECT segment_id, product_id, state, first_sequence, next_sequence, end_sequence, created_at_ms,
  encryption_key_id, lease_expires_at_ms FROM stock_segments WHERE product_id = ? AND state = 'open'
  ORDER BY first_sequence LIMIT 8 FOR UPDATE`;
const ADVANCE_SEGMENT = `UPDATE stock_segments SET next_sequence = ?, state = ?
  WHERE segment_id = ? AND state = 'open' AND next_sequence = ? AND end_sequence = ?`;
const INSERT_RANGE =
  "INSERT INTO order_code_ranges (order_id, product_id, first_sequence, end_sequence) VALUES (?, ?, ?, ?)";
const ADD_SPEND = `INSERT INTO key_daily_spend (key_id, day, spent_microcents) VALUES (?, ?, ?)
  ON DUPLICATE KEY UPDATE spent_microcents = spent_microcents + VALUES(spent_microcents)`;
const CHARGE = `UPDATE accounts SET balance_microcents = balance_microcents + ?,
    score_microcents = score_microcents + ?, ledger_sequence = ledger_sequence + 1
  WHERE account_id = ? AND (? >= 0 OR balance_microcents - reserved_microcents + ? >= 0)
    AND balance_microcents + ? <= ? AND score_microcents + ? <= ?`;
const INSERT_ENTRY = `INSERT INTO ledger_entries (account_id, sequence, type, amount_microcents,
    balance_after_microcents, reference, note, created_at_ms)
  SELECT account_id, ledger_sequence, ?, ?, balance_microcents, ?, ?, ? FROM accounts WHERE account_id = ?`;

/** The sequence of a code that was taken and the one after it. */
type CodeRange = readonly [mysql.ExecuteValues, mysql.ExecuteValues];

const integer = mysql.TypedParameter.BIGINT;

/** The floor of `orders`: the statements of one order, in the service's order, with no service around them. */
await serveQuestions(async (setting: OrderFloorSetting) => {
  const connections = await Promise.all(Array.from({ length: setting.connections }, () => connect(setting)));
  return {
    ready: true,
    answer: async ({ buyers, seconds }: OrderFloorQuestion): Promise<Load> => {
      const begin = performance.now();
      let running = true;
      let orders = 0;
      const buy = async (connection: Connection) => {
        while (running) {
          const buyer = pick(buyers, orders);
          const productId = pick(setting.productIds, orders);
          orders += 1;
          await placeOrder(connection, { ...setting, buyer, productId });
        }
      };
      const buying = Promise.all(connections.map(buy));
      await Promise.race([delay(seconds * 1000), buying]);
      running = false;
      await buying;
      return { count: orders, perSecond: orders / ((performance.now() - begin) / 1000) };
    },
  };
});

interface Purchase {
  readonly buyer: FloorBuyer;
  readonly productId: string;
  readonly amountMicrocents: number;
}

async function connect({ databaseUrl }: OrderFloorSetting): Promise<Connection> {
  const connection = await mysql.createConnection({ uri: databaseUrl, charset: "utf8mb4_bin" });
  await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
  return connection;
}

async function placeOrder(connection: Connection, purchase: Purchase): Promise<void> {
  const { buyer, productId } = purchase;
  const orderId = newId("ord");
  const externalOrderId = Buffer.from(orderId);
  await connection.execute(FIND_ORDER, [buyer.accountId, externalOrderId]);
  await connection.execute(FIND_ACCOUNT, [buyer.accountId]);
  await connection.execute(FIND_PRODUCT, [productId]);
  let taken: CodeRange | null = null;
  while (taken === null) taken = await writeOrder(connection, orderId, purchase);
  const [codes] = await connection.execute<RowDataPacket[]>(FIND_CODES, [productId, ...taken]);
  if (codes.length !== 1) throw new Error(`The floor's order ${orderId} has ${codes.length} codes.`);
}

/** The transaction. @returns the code that it took, or null when it fell to a deadlock and must be run again. */
async function writeOrder(
  connection: Connection,
  orderId: string,
  purchase: Purchase,
): Promise<CodeRange | null> {
  await connection.query("START TRANSACTION");
  try {
    await insertOrder(connection, orderId, purchase);
    const taken = await takeCode(connection, orderId, purchase);
    await charge(connection, orderId, purchase);
    await connection.query("COMMIT");
    return taken;
  } catch (error) {
    await connection.query("ROLLBACK");
    if ((error as { errno?: number }).errno === DEADLOCK) return null;
    throw error;
  }
}

async function insertOrder(
  connection: Connection,
  orderId: string,
  { buyer, productId, amountMicrocents }: Purchase,
): Promise<void> {
  const now = integer(Date.now());
  const amount = integer(amountMicrocents);
  await change(connection, INSERT_ORDER, [
    ...[orderId, buyer.accountId, Buffer.from(orderId), buyer.keyId, productId, `Gift card ${productId}`],
    ...[integer(1), amount, amount, "delivered", "https://redeem.example/", null, today()],
    ...[now, now, null],
  ]);
}

async function takeCode(
  connection: Connection,
  orderId: string,
  { productId }: Purchase,
): Promise<CodeRange> {
  const [[segment]] = await connection.execute<RowDataPacket[]>(LOCK_SEGMENTS, [productId]);
  if (segment === undefined) throw new Error(`The floor ran out of codes of ${productId}.`);
  const next: number = segment.next_sequence;
  const state = next + 1 === segment.end_sequence ? "exhausted" : "open";
  const range: CodeRange = [integer(next), integer(next + 1)];
  await change(connection, ADVANCE_SEGMENT, [
    ...[range[1], state, segment.segment_id, range[0], integer(segment.end_sequence)],
  ]);
  await change(connection, INSERT_RANGE, [orderId, productId, ...range]);
  return range;
}

async function charge(
  connection: Connection,
  orderId: string,
  { buyer, amountMicrocents }: Purchase,
): Promise<void> {
  const amount = integer(-amountMicrocents);
  const [nothing, most] = [integer(0), integer(MAX_ACCOUNT_MICROCENTS)];
  await connection.execute(ADD_SPEND, [buyer.keyId, today(), integer(amountMicrocents)]);
  await change(connection, CHARGE, [
    ...[amount, nothing, buyer.accountId, amount, amount, amount, most, nothing, most],
  ]);
  const entry = ["order", amount, Buffer.from(orderId), null, integer(Date.now()), buyer.accountId];
  await change(connection, INSERT_ENTRY, entry);
}

async function change(
  connection: Connection,
  sql: string,
  values: readonly mysql.ExecuteValues[],
): Promise<void> {
  const [{ affectedRows }] = await connection.execute<ResultSetHeader>(sql, [...values]);
  if (affectedRows !== 1) throw new Error(`A statement of the floor changed ${affectedRows} rows: ${sql}`);
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}

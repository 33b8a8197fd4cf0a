import { expect, test } from "vitest";
import { findBreaches } from "./text-rules.ts";

const breaches = (path: string, text: string) =>
  findBreaches(path, text).map(({ rule, line }) => `${rule.name} in line ${line}`);

test.each([
  ["a string", `\nconst sql = "SELECT 1";`],
  ["a template", `\nconst sql = \`SELECT \${columns} FROM orders\`;`],
  ["a template whose table is put in", `\nconst sql = \`UPDATE \${table} SET status = ?\`;`],
  ["several lines", "\nconst sql = `\n  INSERT IGNORE INTO orders VALUES (?)`;"],
  ["an argument", `\nawait tx.change("DELETE FROM orders WHERE order_id = ?", [id]);`],
])("SQL in a use case is found: %s", (_what, text) => {
  expect(breaches("server/orders/place-order.ts", text)).toEqual(["sql-only-in-stores in line 2"]);
});

test.each([
  ["server/orders/order-store.ts", `"SELECT 1"`],
  ["server/database/migrations/0001-tables.ts", `"UPDATE orders SET qty = 1"`],
  ["server/orders/orders.test.ts", `"SELECT 1"`],
  ["server/testing/supplied-orders.ts", `"SELECT 1"`],
  ["server/orders/place-order.ts", `// "SELECT 1"`],
  ["server/orders/place-order.ts", `"Select a product. An update sets its price."`],
  ["scripts/bench/floor.ts", `"SELECT 1"`],
])("%s may hold %s", (path, text) => {
  expect(breaches(path, text)).toEqual([]);
});

test.each([
  ["UPDATE accounts SET balance_microcents = balance_microcents + ? WHERE account_id = ?"],
  ["UPDATE accounts SET status = ?, ledger_sequence = 0 WHERE account_id = ?"],
  [`UPDATE accounts SET \${assignments} WHERE account_id = ?`],
  ["INSERT INTO ledger_entries (account_id) VALUES (?)"],
  ["DELETE FROM ledger_entries"],
])("money is moved by one module alone: %s", (sql) => {
  expect(breaches("server/ledger/funds-store.ts", `\`${sql}\``)).toEqual([]);
  expect(breaches("server/ledger/hold-store.ts", `\`${sql}\``)).toEqual(["one-door-to-the-money in line 1"]);
  expect(breaches("server/accounts/account-store.ts", `\`${sql}\``)).toEqual([
    "one-door-to-the-money in line 1",
  ]);
});

test("accounts are opened by their store alone, which may change the rest of their rows", () => {
  const open = `"INSERT INTO accounts (account_id, balance_microcents) VALUES (?, 0)"`;
  expect(breaches("server/accounts/account-store.ts", open)).toEqual([]);
  expect(breaches("server/ledger/funds-store.ts", open)).toEqual(["accounts-begin-with-nothing in line 1"]);
  const suspend = `"UPDATE accounts SET status = ? WHERE account_id = ?"`;
  expect(breaches("server/accounts/account-store.ts", suspend)).toEqual([]);
});

import type { PoolConnection } from "mysql2";
import { expect, test } from "vitest";
import { executeInTransaction } from "./execute-in-transaction.ts";
import { TransactionUndoneError } from "./faults.ts";

/** What a server says of the transaction, or the number of its error. */
type State = { in_transaction: number; in_cluster: number } | { errno: number };

const INSIDE = { in_transaction: 1, in_cluster: 1 };
const UNDONE = { in_transaction: 0, in_cluster: 1 };
const ALONE = { in_transaction: 1, in_cluster: 0 };
const UNKNOWN_VARIABLE = { errno: 1193 };

/** A connection that keeps what it has prepared, and notes what it is asked; each `?` is the question for the transaction. */
function connectionTo(states: readonly State[]) {
  const asked: string[] = [];
  const left = [...states];
  const prepared = new Map<string, object>();
  const statementOf = (sql: string) => ({
    execute(_parameters: unknown, answer: (error: null, result: string) => void) {
      asked.push(`execute ${sql}`);
      answer(null, `result of ${sql}`);
    },
  });
  const connection = {
    prepare(sql: string, then: (error: null, statement: object | undefined) => void) {
      if (!prepared.has(sql)) {
        asked.push(`prepare ${sql}`);
        prepared.set(sql, statementOf(sql));
      }
      then(null, prepared.get(sql));
    },
    query(_sql: string, then: (error: Error | null, rows?: readonly State[]) => void) {
      asked.push("?");
      const state = left.shift() as State;
      if ("errno" in state) then(Object.assign(new Error("refused"), state));
      else then(null, [state]);
    },
  } as unknown as PoolConnection;
  const execute = (sql: string) =>
    new Promise((resolve, reject) =>
      executeInTransaction(connection, sql, [], (error, result) => (error ? reject(error) : resolve(result))),
    );
  return { asked, execute };
}

test("on a node of a cluster each statement is asked about once, when it was prepared", async () => {
  const { asked, execute } = connectionTo([INSIDE, INSIDE]);
  for (const sql of ["one", "two", "one", "two"]) expect(await execute(sql)).toBe(`result of ${sql}`);
  const [first, second] = [
    ["prepare one", "?", "execute one"],
    ["prepare two", "?", "execute two"],
  ];
  expect(asked).toEqual([...first, ...second, "execute one", "execute two"]);
});

test("nothing is executed in a transaction that was undone while a statement was prepared", async () => {
  const { asked, execute } = connectionTo([INSIDE, UNDONE]);
  await execute("one");
  await expect(execute("two")).rejects.toThrow(TransactionUndoneError);
  expect(asked).toEqual(["prepare one", "?", "execute one", "prepare two", "?"]);
});

test.each([
  ["is in no cluster", ALONE],
  ["knows nothing of clusters", UNKNOWN_VARIABLE],
])("a server that %s is asked once", async (_name, state) => {
  const { asked, execute } = connectionTo([state]);
  for (const sql of ["one", "two"]) await execute(sql);
  expect(asked).toEqual(["prepare one", "?", "execute one", "prepare two", "execute two"]);
});

test("a question that got no answer is an error", async () => {
  const { asked, execute } = connectionTo([{ errno: 1927 }]);
  await expect(execute("one")).rejects.toMatchObject({ errno: 1927 });
  expect(asked).not.toContain("execute one");
});

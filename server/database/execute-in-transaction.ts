import type { ExecuteValues, PoolConnection, PrepareStatementInfo, RowDataPacket } from "mysql2";
import { isUnknownVariable, TransactionUndoneError } from "./faults.ts";

type Answer = (error: Error | null, result?: unknown) => void;

// One server alone undoes nothing by itself, nor does MySQL, which knows neither of the variables.
const TRANSACTION_STATE =
  "SELECT 1 /*M! AND @@in_transaction */ AS in_transaction, 0 /*M! OR @@wsrep_on */ AS in_cluster";

/** Connections to servers that are no part of a Galera cluster. */
const outsideOfClusters = new WeakSet<PoolConnection>();
/** Statements that were prepared by earlier calls. */
const preparedBefore = new WeakSet<PrepareStatementInfo>();

/**
 * Runs a prepared statement as part of the transaction that is open on the connection; one after the other.
 *
 * A node of a Galera cluster undoes a transaction that is in the way of another node's, and says so to the next command. When
 * that befalls it while it prepares a statement, it may forget to say so (seen with MariaDB 10.11.19): what follows would then be
 * committed without what came before. So after a statement has been prepared, once in a connection's life, the transaction
 * has to be there still, before the statement is executed.
 * @param answer is given a {@link TransactionUndoneError} when it is not.
 */
export function executeInTransaction(
  connection: PoolConnection,
  sql: string,
  parameters: ExecuteValues,
  answer: Answer,
): void {
  connection.prepare(sql, (error, statement) => {
    if (error) return answer(error);
    const execute = () => void statement.execute(parameters, answer);
    if (preparedBefore.has(statement) || outsideOfClusters.has(connection)) return execute();
    preparedBefore.add(statement);
    requireTransaction(connection, (undone) => (undone ? answer(undone) : execute()));
  });
}

function requireTransaction(connection: PoolConnection, then: (error: Error | null) => void): void {
  connection.query<RowDataPacket[]>(TRANSACTION_STATE, (error, rows) => {
    if (error && !isUnknownVariable(error)) return then(error);
    const [state] = error ? [] : rows;
    if (state && Number(state.in_transaction) !== 1) return then(new TransactionUndoneError());
    if (Number(state?.in_cluster ?? 0) === 0) outsideOfClusters.add(connection);
    then(null);
  });
}

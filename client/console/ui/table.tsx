import type { ReactNode } from "react";
import styles from "./table.module.css";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  /** What it shows, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
}

/** A table, whose first column names the row; on a phone each row is a block with the titles beside the values. */
export function Table<Row>({ caption, columns, rows, idOf }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? styles.number : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} row={row} isHead={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row, isHead }: { column: Column<Row>; row: Row; isHead: boolean }) {
  const { title, show, isNumber } = column;
  const Tag = isHead ? "th" : "td";
  return (
    <Tag
      scope={isHead ? "row" : undefined}
      className={isNumber ? styles.number : undefined}
      data-title={title}
    >
      <div>{show(row)}</div>
    </Tag>
  );
}

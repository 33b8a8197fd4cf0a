import type { ComponentProps, ReactNode } from "react";
import { Paging } from "./paging.tsx";
import { Table } from "./table.tsx";

type PagedTableProps<Row> = ComponentProps<typeof Table<Row>> &
  ComponentProps<typeof Paging> & {
    /** What is said where there are no rows. */
    readonly empty: ReactNode;
  };

/** One page of a list, with the ways to the others. */
export function PagedTable<Row>({ empty, hasMore, nextCursor, ...table }: PagedTableProps<Row>) {
  if (table.rows.length === 0) return empty;
  return (
    <>
      <Table {...table} />
      <Paging hasMore={hasMore} nextCursor={nextCursor} />
    </>
  );
}

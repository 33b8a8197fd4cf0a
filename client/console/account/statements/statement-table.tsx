import type { components } from "../../../../generated/account/types.ts";
import { Money } from "../../ui/money.tsx";
import { Note } from "../../ui/states.tsx";
import { sumOf } from "../../ui/sum-of.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { entryTypeWords } from "../../ui/words.ts";

type Statement = components["schemas"]["Statement"];

interface Line {
  readonly title: string;
  readonly entries: number | null;
  readonly amount: string;
}

/** What all entries of a type are called; others may come. */
const SUMS: Readonly<Record<string, string>> = {
  top_up: "Payments",
  order: "Orders",
  call: "Calls of models",
  refund: "Refunds",
  adjustment: "Corrections",
};

const COLUMNS: readonly Column<Line>[] = [
  { title: "What", show: ({ title }) => title },
  { title: "Entries", show: ({ entries }) => entries?.toLocaleString("en") ?? "", isNumber: true },
  { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
];

/** From the opening to the closing balance, and whether they come to each other. */
export function StatementTable({ statement: { opening, closing, sums } }: { statement: Statement }) {
  const lines: Line[] = [
    { title: "Opening balance", entries: null, amount: opening },
    ...sums.map(({ type, entries, amount }) => ({
      title: SUMS[type] ?? entryTypeWords(type),
      entries,
      amount,
    })),
    { title: "Closing balance", entries: null, amount: closing },
  ];
  const isRight = sumOf([opening, ...sums.map(({ amount }) => amount)]) === sumOf([closing]);
  return (
    <>
      <Table
        caption="From the opening to the closing balance"
        columns={COLUMNS}
        rows={lines}
        idOf={({ title }) => title}
      />
      {isRight ? (
        <p>The opening balance and all entries come to the closing balance.</p>
      ) : (
        <Note tone="danger">
          The entries do not come to the closing balance. Ask the shop, and name this month.
        </Note>
      )}
    </>
  );
}

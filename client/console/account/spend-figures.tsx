import type { components } from "../../../generated/account/types.ts";
import { Swatch } from "../ui/bar-chart.tsx";
import { Figures } from "../ui/figures.tsx";
import { Money } from "../ui/money.tsx";
import { sumOf } from "../ui/sum-of.ts";
import { type Column, Table } from "../ui/table.tsx";

type Spend = components["schemas"]["SpendStatistics"];
type Bucket = Spend["buckets"][number];

interface Sum {
  readonly name: string;
  /** The colour of the chart; null for what is none of its parts. */
  readonly color: number | null;
  readonly amount: string;
}

const PARTS: readonly (readonly [name: string, amountOf: (bucket: Bucket) => string])[] = [
  ["Orders", ({ orders }) => orders],
  ["Calls", ({ calls }) => calls],
  ["Refunds", ({ refunds }) => `-${refunds}`],
];
const [TOGETHER, TOTAL_OF] = ["Together", ({ total }: Bucket) => total];

const COLUMNS: readonly Column<Bucket>[] = [...PARTS, [TOGETHER, TOTAL_OF] as const].map(
  ([title, amountOf]) => ({ title, show: (bucket) => <Money amount={amountOf(bucket)} />, isNumber: true }),
);

const SUM_COLUMNS: readonly Column<Sum>[] = [
  {
    title: "What",
    show: ({ name, color }) => (
      <>
        {color !== null && <Swatch index={color} />}
        {name}
      </>
    ),
  },
  { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
];

/** What was spent on orders and calls, less what was refunded. */
export function SpendFigures({ spend: { buckets, granularity, timeZone } }: { spend: Spend }) {
  const bars = PARTS.map(([name, amountOf]) => ({ name, amounts: buckets.map(amountOf) }));
  const sums = [
    ...bars.map(({ name, amounts }, color) => ({ name, color, amount: sumOf(amounts) })),
    { name: TOGETHER, color: null, amount: sumOf(buckets.map(TOTAL_OF)) },
  ];
  return (
    <Figures
      label="What was spent"
      {...{ granularity, timeZone, buckets, bars }}
      lines={buckets.map((figure) => ({ id: figure.from, from: figure.from, figure }))}
      columns={COLUMNS}
    >
      <Table
        caption="What was spent in all of this time"
        columns={SUM_COLUMNS}
        rows={sums}
        idOf={({ name }) => name}
      />
    </Figures>
  );
}

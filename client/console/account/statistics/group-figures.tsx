import type { ReactNode } from "react";
import { MAX_COLORS, Swatch } from "../../ui/bar-chart.tsx";
import { Figures } from "../../ui/figures.tsx";
import { Money } from "../../ui/money.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { barsOf, type Figure, type Sum, sumGroups } from "./sum-groups.ts";

interface GroupFiguresProps<Each extends Figure> {
  readonly label: string;
  /** What one of them is, such as `Model`. */
  readonly title: string;
  readonly statistics: {
    readonly granularity: string;
    readonly timeZone: string;
    readonly buckets: readonly { readonly from: string; readonly groups: readonly Each[] }[];
  };
  /** How people know one. */
  readonly nameOf: (id: string) => string;
  /** How it is shown. */
  readonly show: (id: string) => ReactNode;
  /** What is counted of each, by its heading. */
  readonly counts: Readonly<Record<string, (figure: Each) => number>>;
}

/** What keys, models or products come to; those that come to most have colours of their own. */
export function GroupFigures<Each extends Figure>(props: GroupFiguresProps<Each>) {
  const { label, title, statistics, nameOf, show, counts } = props;
  const { buckets, granularity, timeZone } = statistics;
  const sums = sumGroups(buckets);
  if (sums.length === 0) return <Empty title="There is nothing in these days." />;
  const bars = barsOf(buckets, sums, nameOf, MAX_COLORS);
  const lines = buckets.flatMap(({ from, groups }) =>
    groups.map((figure) => ({ id: `${from} ${figure.group}`, from, figure })),
  );
  return (
    <Figures
      {...{ label, granularity, timeZone, buckets, bars, lines }}
      columns={[
        { title, show: ({ group }) => show(group ?? "") },
        ...Object.entries(counts).map(([heading, countOf]) => ({
          title: heading,
          show: (figure: Each) => countOf(figure).toLocaleString("en"),
          isNumber: true,
        })),
        { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
      ]}
    >
      <Table
        caption={`${label}: all of this time`}
        columns={sumColumns(props, sums)}
        rows={sums}
        idOf={({ id }) => id}
      />
    </Figures>
  );
}

function sumColumns<Each extends Figure>(
  { title, show, counts }: GroupFiguresProps<Each>,
  sums: readonly Sum<Each>[],
): readonly Column<Sum<Each>>[] {
  const colorOf = (id: string) =>
    Math.min(
      sums.findIndex((one) => one.id === id),
      MAX_COLORS - 1,
    );
  return [
    {
      title,
      show: ({ id }) => (
        <>
          <Swatch index={colorOf(id)} />
          {show(id)}
        </>
      ),
    },
    ...Object.entries(counts).map(([heading, countOf]) => ({
      title: heading,
      show: ({ figures }: Sum<Each>) =>
        figures.reduce((sum, figure) => sum + countOf(figure), 0).toLocaleString("en"),
      isNumber: true,
    })),
    { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
  ];
}

import { type ReactNode, useState } from "react";
import { BarChart } from "./bar-chart.tsx";
import { bucketText } from "./bucket-text.ts";
import styles from "./figures.module.css";
import type { Bars } from "./stacks.ts";
import { type Column, Table } from "./table.tsx";

interface FiguresProps<Figure> {
  readonly label: string;
  readonly granularity: string;
  readonly timeZone: string;
  readonly buckets: readonly { readonly from: string }[];
  readonly bars: readonly Bars[];
  /** What everything comes to, with the chart's colours. */
  readonly children: ReactNode;
  /** Each figure of each bucket. */
  readonly lines: readonly { readonly id: string; readonly from: string; readonly figure: Figure }[];
  readonly columns: readonly Column<Figure>[];
}

const TITLES: Readonly<Record<string, string>> = { PT1H: "Hour", P1D: "Day", P1M: "Month" };

/** A chart, what it comes to, and a table of all its figures, which is made when it is opened. */
export function Figures<Figure>(props: FiguresProps<Figure>) {
  const { label, granularity, timeZone, buckets, bars, children, lines, columns } = props;
  const [isOpen, setOpen] = useState(false);
  const nameOf = (from: string) => bucketText(from, granularity, timeZone);
  return (
    <div className={styles.figures}>
      <BarChart
        label={label}
        buckets={buckets.map(({ from }) => ({ from, name: nameOf(from) }))}
        bars={bars}
      />
      {children}
      <details className={styles.all} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary>All figures of it as a table</summary>
        {isOpen && (
          <Table
            caption={`${label}: all figures, in the time of ${timeZone}`}
            columns={[
              { title: TITLES[granularity] ?? "From", show: ({ from }) => nameOf(from) },
              ...columns.map(({ show, ...column }) => ({
                ...column,
                show: ({ figure }: { readonly figure: Figure }) => show(figure),
              })),
            ]}
            rows={lines}
            idOf={({ id }) => id}
          />
        )}
      </details>
    </div>
  );
}

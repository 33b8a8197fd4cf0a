import styles from "./bar-chart.module.css";
import { moneyText } from "./money.tsx";
import { type Bars, stacksOf } from "./stacks.ts";

/** How many colours there are. */
export const MAX_COLORS = 6;
const COLORS = [
  styles.color0,
  styles.color1,
  styles.color2,
  styles.color3,
  styles.color4,
  styles.color5,
] as const;
const HEIGHT = 100;
const [LEFT, WIDTH] = [0.12, 0.76];

interface BarChartProps {
  /** What it shows; a table beside it has the figures, for everybody who does not see it. */
  readonly label: string;
  /** What each bucket is called, and where it begins. */
  readonly buckets: readonly { readonly from: string; readonly name: string }[];
  /** At most {@link MAX_COLORS}. */
  readonly bars: readonly Bars[];
}

/** A bar for each bucket, in colours that {@link Swatch} names. */
export function BarChart({ label, buckets, bars }: BarChartProps) {
  const { pieces, top, bottom, highest } = stacksOf(bars);
  const scale = HEIGHT / (top - bottom || 1);
  const yOf = (value: number) => (top === 0 && bottom === 0 ? HEIGHT : (top - value) * scale);
  return (
    <div className={styles.chart}>
      <div>{moneyText(highest)}</div>
      <svg
        role="img"
        aria-label={label}
        className={styles.bars}
        viewBox={`0 0 ${Math.max(buckets.length, 1)} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <path className={styles.scale} d={`M0 ${yOf(top)}H${buckets.length}`} />
        {pieces.map(({ series, bucket, from, to }) => (
          <rect
            key={`${series} ${bucket}`}
            className={`${styles.piece} ${COLORS[series % MAX_COLORS]}`}
            x={bucket + LEFT}
            width={WIDTH}
            y={yOf(to)}
            height={yOf(from) - yOf(to)}
          />
        ))}
        <path className={styles.zero} d={`M0 ${yOf(0)}H${buckets.length}`} />
        {buckets.map(({ from, name }, index) => (
          <rect key={from} className={styles.whole} x={index} width={1} y={0} height={HEIGHT}>
            <title>{[name, ...told(bars, index)].join("\n")}</title>
          </rect>
        ))}
      </svg>
      <div className={styles.ends}>
        <span>{buckets[0]?.name}</span>
        {buckets.length > 1 && <span>{buckets.at(-1)?.name}</span>}
      </div>
    </div>
  );
}

/** The colour of a part of a chart, beside its name. */
export function Swatch({ index }: { index: number }) {
  return <span className={`${styles.swatch} ${COLORS[index % MAX_COLORS]}`} />;
}

function told(bars: readonly Bars[], bucket: number): string[] {
  return bars.flatMap(({ name, amounts }) => {
    const amount = amounts[bucket] ?? "0";
    return /[1-9]/.test(amount) ? [`${name}: ${moneyText(amount)}`] : [];
  });
}

import type { components } from "../../../generated/account/types.ts";
import { formatExactUsd } from "../../money/microcents.ts";
import type { Granularity } from "../../statistics/buckets.ts";
import type { CallFigures, OrderFigures } from "../../statistics/figures.ts";
import type { SpendBucket, StatisticsBucket } from "../../statistics/statistics.ts";
import { toApiTime, toTimeMs } from "../convert-time.ts";

type Schemas = components["schemas"];

/** How buckets were asked for. */
interface AskedBuckets {
  readonly granularity: Granularity;
  readonly timeZone: string;
}

interface ApiPeriod {
  readonly from: string;
  readonly to: string;
}

/** What is asked for in every question, as use cases take it. @throws {InvalidFieldError} */
export function toStatisticsQuery<Asked extends AskedBuckets>({
  from,
  to,
  granularity,
  timeZone,
}: Asked & ApiPeriod) {
  const period = { fromMs: toTimeMs("from", from), toMs: toTimeMs("to", to) };
  return { period, granularity, timeZone };
}

export function toApiSpend(
  buckets: readonly SpendBucket[],
  { granularity, timeZone }: AskedBuckets,
): Schemas["SpendStatistics"] {
  return {
    granularity,
    timeZone,
    buckets: buckets.map(({ fromMs, toMs, ...spent }) => ({
      from: toApiTime(fromMs),
      to: toApiTime(toMs),
      orders: formatExactUsd(spent.ordersMicrocents),
      calls: formatExactUsd(spent.callsMicrocents),
      refunds: formatExactUsd(spent.refundsMicrocents),
      total: formatExactUsd(spent.totalMicrocents),
    })),
    currency: "USD",
  };
}

export function toApiOrderStatistics(
  buckets: readonly StatisticsBucket<OrderFigures>[],
  asked: AskedBuckets,
): Schemas["OrderStatistics"] {
  return toApiStatistics(buckets, asked, ({ orders, codes, refunds, ...amounts }) => ({
    orders,
    codes,
    amount: formatExactUsd(amounts.amountMicrocents),
    refunds,
    refundedAmount: formatExactUsd(amounts.refundedMicrocents),
  }));
}

export function toApiCallStatistics(
  buckets: readonly StatisticsBucket<CallFigures>[],
  asked: AskedBuckets,
): Schemas["CallStatistics"] {
  return toApiStatistics(buckets, asked, ({ amountMicrocents, ...counts }) => ({
    ...counts,
    amount: formatExactUsd(amountMicrocents),
  }));
}

function toApiStatistics<Figures, ApiFigures extends object>(
  buckets: readonly StatisticsBucket<Figures>[],
  { granularity, timeZone }: AskedBuckets,
  toApiFigures: (figures: Figures) => ApiFigures,
) {
  return {
    granularity,
    timeZone,
    buckets: buckets.map(({ fromMs, toMs, groups }) => ({
      from: toApiTime(fromMs),
      to: toApiTime(toMs),
      groups: groups.map(({ group, figures }) => ({ group, ...toApiFigures(figures) })),
    })),
    currency: "USD" as const,
  };
}

import type { Accounts } from "../accounts/accounts.ts";
import type { AccountId } from "../ids.ts";
import { add, type Microcents, subtract } from "../money/microcents.ts";
import type { Recovery } from "../recovery-loop.ts";
import { timeZone } from "../time-zone.ts";
import { bucketsOf, type Granularity, type Period, type Run, runsOf } from "./buckets.ts";
import { type CallFigures, type Grouped, NO_CALLS, NO_ORDERS, type OrderFigures } from "./figures.ts";
import { rebuild } from "./rebuild.ts";
import { type RollUpDependencies, rollUpAll, startRollingUp } from "./roll-up.ts";
import { type CALL_GROUPS, callFigures, type ORDER_GROUPS, orderFigures } from "./statistics-store.ts";

/** What statistics need. */
export interface StatisticsDependencies extends RollUpDependencies {
  readonly accounts: Pick<Accounts, "get">;
}

/** Which figures of an account are wanted. */
export interface StatisticsQuery<Group extends string> {
  readonly accountId: AccountId;
  /** It begins and ends on a quarter of an hour. */
  readonly period: Period;
  readonly granularity: Granularity;
  /** Whose hours, days and months; such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** What to tell apart; null: everything together. */
  readonly groupBy: Group | null;
}

export type OrderGroup = keyof typeof ORDER_GROUPS;
export type CallGroup = keyof typeof CALL_GROUPS;

/** An hour, day or month of the period, as long as the period has of it. */
export interface StatisticsBucket<Figures> extends Period {
  /** One that stands for everything together; or one for each group that has anything, by their ids. */
  readonly groups: readonly { readonly group: string | null; readonly figures: Figures }[];
}

/** What was spent in an hour, day or month; the total is orders and calls without what was refunded. */
export interface SpendBucket extends Period {
  readonly ordersMicrocents: Microcents;
  readonly callsMicrocents: Microcents;
  readonly refundsMicrocents: Microcents;
  readonly totalMicrocents: Microcents;
}

export type Statistics = ReturnType<typeof createStatistics>;

/** What orders and calls come to over time. Figures are current: what was committed before the question is in them. */
export function createStatistics({ accounts, ...dependencies }: StatisticsDependencies) {
  const { database } = dependencies;

  /** @param read figures of some buckets, those without any left out. */
  async function figures<Group extends string, Figures>(
    { accountId, period, granularity, groupBy, ...query }: StatisticsQuery<Group>,
    none: Figures,
    read: (run: Run) => Promise<Grouped<Figures>[]>,
  ): Promise<StatisticsBucket<Figures>[]> {
    const buckets = bucketsOf(period, granularity, timeZone(query.timeZone));
    await accounts.get(accountId);
    const found: Grouped<Figures>[] = [];
    for (const run of runsOf(buckets)) found.push(...(await read(run)));
    const byBucket = Map.groupBy(found, ({ bucket }) => bucket);
    const empty = groupBy === null ? [{ group: null, figures: none }] : [];
    return buckets.map((bucket, index) => ({
      ...bucket,
      groups: byBucket.get(index)?.map(({ group, figures }) => ({ group, figures })) ?? empty,
    }));
  }

  const ordersOf = (query: StatisticsQuery<OrderGroup>) =>
    figures(query, NO_ORDERS, (run) => orderFigures(database, { ...query, run }));
  const callsOf = (query: StatisticsQuery<CallGroup>) =>
    figures(query, NO_CALLS, (run) => callFigures(database, { ...query, run }));

  return {
    /** What both come to, of everything together. Throws as `orders` does. */
    async spend(query: Omit<StatisticsQuery<never>, "groupBy">): Promise<SpendBucket[]> {
      const together = { ...query, groupBy: null };
      const [orders, calls] = await Promise.all([ordersOf(together), callsOf(together)]);
      return orders.map((bucket, index) => spendIn(bucket, calls[index]));
    },

    /**
     * Orders by when they were delivered, and refunds by when they were made.
     * @throws {NotFoundError} no such account. @throws {InvalidInputError} no such time zone, or no period; see {@link bucketsOf}.
     */
    orders: ordersOf,

    /** Calls by when they ended. Throws as `orders` does. */
    calls: callsOf,

    /** Adds to the rollups what is not in them, every so often, until it is stopped. */
    startRollingUp(settings: { intervalMs: number }): Recovery {
      return startRollingUp(dependencies, settings);
    },

    /** Adds all of that now. */
    rollUp(): Promise<void> {
      return rollUpAll(dependencies);
    },

    /**
     * Makes the rollups of a period anew from the rows, a day after the other, while the shop is at work.
     * @throws {NotFoundError} no such account. @throws {InvalidInputError} no period.
     */
    async rebuild(
      accountId: AccountId,
      period: Period,
      onProgress: (share: number) => void = () => {},
    ): Promise<void> {
      await accounts.get(accountId);
      await rebuild(database, accountId, period, onProgress);
    },
  };
}

function spendIn(
  { fromMs, toMs, groups }: StatisticsBucket<OrderFigures>,
  calls: StatisticsBucket<CallFigures> | undefined,
): SpendBucket {
  const { amountMicrocents: ordersMicrocents, refundedMicrocents: refundsMicrocents } =
    groups[0]?.figures ?? NO_ORDERS;
  const { amountMicrocents: callsMicrocents } = calls?.groups[0]?.figures ?? NO_CALLS;
  const totalMicrocents = subtract(add(ordersMicrocents, callsMicrocents), refundsMicrocents);
  return { fromMs, toMs, ordersMicrocents, callsMicrocents, refundsMicrocents, totalMicrocents };
}

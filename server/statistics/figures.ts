import { type Microcents, ZERO } from "../money/microcents.ts";

/** What was delivered and refunded in a bucket. */
export interface OrderFigures {
  /** Orders that were delivered. */
  readonly orders: number;
  readonly codes: number;
  readonly amountMicrocents: Microcents;
  /** Orders that were refunded, whenever they were delivered. */
  readonly refunds: number;
  readonly refundedMicrocents: Microcents;
}

/** The calls that ended in a bucket: how many by their outcome, what they used, and what they were charged. */
export interface CallFigures {
  readonly completed: number;
  readonly clientAborted: number;
  readonly upstreamFailed: number;
  readonly rejected: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
  readonly amountMicrocents: Microcents;
}

/** Figures of one group in one bucket. */
export interface Grouped<Figures> {
  /** The bucket's place among those that were asked for. */
  readonly bucket: number;
  /** The id of the product, key or model; null where they are not told apart. */
  readonly group: string | null;
  readonly figures: Figures;
}

export const NO_ORDERS: OrderFigures = {
  orders: 0,
  codes: 0,
  amountMicrocents: ZERO,
  refunds: 0,
  refundedMicrocents: ZERO,
};

export const NO_CALLS: CallFigures = {
  completed: 0,
  clientAborted: 0,
  upstreamFailed: 0,
  rejected: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  amountMicrocents: ZERO,
};

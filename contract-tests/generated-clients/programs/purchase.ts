/** What a program is told: where the interface is, whose key it has, and what it buys. */
export interface Task {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly productId: string;
  /** Its orders bear ids that begin so. */
  readonly prefix: string;
}

/** What a program has met; the test compares it with what the shop knows. */
export interface Report {
  /** The unit price of the product, from the list of products. */
  readonly price: string;
  /** The threshold of the next level in microcents: more than 32 bits. */
  readonly nextThresholdMicrocents: number | null;
  readonly codes: readonly string[];
  /** The codes of the same order, sent again, where the answer says that it was repeated. */
  readonly repeatedCodes: readonly string[];
  /** The externalOrderIds of each page of the list of orders. */
  readonly pages: readonly (readonly string[])[];
  /** What each refused request was told, after its type. */
  readonly errors: readonly string[];
}

/** A buyer's program over a generated client. */
export type Program = (task: Task) => Promise<Report>;

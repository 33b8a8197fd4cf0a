/** A tool that the upstream runs by itself while it answers. */
export interface ServerTool {
  /** Its path in the request, such as `tools.0`. */
  readonly field: string;
  /** By what it is priced and counted, such as `web_search`. */
  readonly name: string;
  /** How often it may be used; null when the request does not say. */
  readonly maxUses: number | null;
}

/** What of a message request bears on its cost. */
export interface RequestFacts {
  /** The most tokens of the input that the body itself comes to, without documents of unknown size. */
  readonly inputTokens: number;
  /** Whether it holds documents that may come to more tokens than any reading of their bytes tells. */
  readonly hasDocuments: boolean;
  /** Whether some of the input is at an address, where it may be another the next time. */
  readonly hasAddresses: boolean;
  /** The lifetime of the longest-lived entry that is to be written into the prompt cache. */
  readonly cacheWrite: "5m" | "1h" | null;
  /** Where the entry of an hour is asked for; null when none is. */
  readonly hourField: string | null;
  /** What multiplies prices, where the request asks for it. */
  readonly speed: string | null;
  readonly inferenceGeo: string | null;
  readonly serviceTier: string | null;
  readonly serverTools: readonly ServerTool[];
  /** Where the upstream is allowed to summarise the conversation before it answers; null: nowhere. */
  readonly compactionField: string | null;
}

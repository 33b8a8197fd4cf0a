/** What a guest has written. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** 1 to 5; null where none were given. */
  readonly stars: number | null;
}

/** All entries by their ids, the oldest first. */
export type Entries = Map<string, Entry>;

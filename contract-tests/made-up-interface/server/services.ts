import type { Entries } from "./entry.ts";

/** What the handlers of this interface work on; where there are use cases, they are here. */
export interface GuestbookServices {
  readonly entries: Entries;
}

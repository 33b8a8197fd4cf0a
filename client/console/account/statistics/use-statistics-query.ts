import { use } from "react";
import type { QueryOf } from "../../api/queries.ts";
import { lastDays } from "../../ui/period.ts";
import { TimeZoneContext, useTimeZone } from "../../ui/time.tsx";
import { type Readers, text, useListQuery, word } from "../../ui/use-list-query.ts";

/** What all statistics are asked with. */
export type StatisticsQuery = QueryOf<"getSpendStatistics">;

const READERS: Readers<StatisticsQuery> = {
  from: text,
  to: text,
  granularity: word,
  timeZone: text,
};

interface AskedStatistics {
  /** As the URL has it. */
  readonly asked: Partial<StatisticsQuery>;
  /** With what the URL leaves out: the last 30 days in the zone of the account. */
  readonly query: StatisticsQuery;
  /** Whether that zone is known. */
  readonly enabled: boolean;
}

/** What the URL asks of all statistics. */
export function useStatisticsQuery(): AskedStatistics {
  const asked = useListQuery<Partial<StatisticsQuery>>(READERS);
  const zone = useTimeZone();
  const enabled = use(TimeZoneContext) !== null;
  const query = { ...lastDays(30, asked.timeZone ?? zone), timeZone: zone, ...asked };
  return { asked, query, enabled };
}

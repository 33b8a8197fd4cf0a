import { expect, test } from "vitest";
import { datesToCome } from "./new-dates.ts";

const NOW = Date.parse("2031-05-06T23:00:00Z");
const BEFORE = "## ordering 1.0.0 (2032-01-01)\n\n- First version.\n";

test.each([
  ["of today", "## ordering 1.1.0 (2031-05-06)", 0],
  ["of where it is tomorrow already", "## ordering 1.1.0 (2031-05-07)", 0],
  ["without a date", "## ordering 1.1.0", 0],
  ["of another day to come", "## ordering 1.1.0 (2031-05-08)", 1],
  ["for operators, of next year", "### Migration 0099 (2032-05-06)", 1],
])("an entry %s", (_, heading, count) => {
  const faults = datesToCome(BEFORE, `${heading}\n\n- Something.\n\n${BEFORE}`, NOW);
  expect(faults).toHaveLength(count);
  for (const fault of faults) expect(fault).toContain(`Set the date of \`${heading}\` in CHANGELOG.md`);
});

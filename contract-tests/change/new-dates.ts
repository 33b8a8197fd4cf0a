const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * What is new in the changelog and dated after today: a release that buyers are told of before it is there, or a slip of the
 * finger. Somewhere it is a day later than here.
 * @returns what to do, for each such heading
 */
export function datesToCome(before: string, changelog: string, nowMs: number): string[] {
  const known = new Set(before.split("\n"));
  const latest = new Date(nowMs + DAY_MS).toISOString().slice(0, 10);
  return changelog.split("\n").flatMap((line) => {
    const [, date] = /^##+ .*\((\d{4}-\d\d-\d\d)\)\s*$/.exec(line) ?? [];
    if (date === undefined || known.has(line) || date <= latest) return [];
    return [
      `Set the date of \`${line}\` in CHANGELOG.md to the day of the release: ${date} is still to come.`,
    ];
  });
}

/** A version of an interface, as the changelog tells of it. */
export interface Release {
  readonly version: string;
  /** Such as 2026-11-21; null where the changelog gives none. */
  readonly date: string | null;
  /** Markdown. */
  readonly text: string;
}

/** The versions of an interface in CHANGELOG.md, in the order in which they stand there: those headed `## NAME VERSION (DATE)`. */
export function releasesOf(name: string, changelog: string): Release[] {
  return changelog.split(/^## /m).flatMap((section) => {
    const [, of, version, date] = /^(\S+) (\d+\.\d+\.\d+)(?: \((\d{4}-\d\d-\d\d)\))?\n/.exec(section) ?? [];
    if (of !== name || version === undefined) return [];
    return [{ version, date: date ?? null, text: section.slice(section.indexOf("\n")).trim() }];
  });
}

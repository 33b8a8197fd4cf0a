/**
 * Writes moments as the clocks of a zone show them, or those of UTC where the browser knows no such zone. What was made for a zone is
 * kept, since that takes long.
 */
export function zoneFormats(
  locale: string,
  parts: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>();
  const make = (timeZone: string): Intl.DateTimeFormat => {
    try {
      return new Intl.DateTimeFormat(locale, { ...parts, timeZone });
    } catch {
      return new Intl.DateTimeFormat(locale, { ...parts, timeZone: "UTC" });
    }
  };
  return (timeZone) => {
    const format = made.get(timeZone) ?? make(timeZone);
    made.set(timeZone, format);
    return format;
  };
}

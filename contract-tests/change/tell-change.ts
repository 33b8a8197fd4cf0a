import type { Change } from "./find-changes.ts";

/** A merge comment is for people: of what only reads differently it says how much there is. */
const MAX_PLACES = 6;

/** A change in a sentence, with the operations where it is met. */
export function tellChange({ text, places, side }: Change): string {
  const shown = places.slice(0, MAX_PLACES).map((place) => `\`${place}\``);
  const more = places.length > MAX_PLACES ? [`${places.length - MAX_PLACES} more`] : [];
  const where = { request: " in requests of ", answer: " in answers of ", interface: " at " }[side];
  return `${text}${places.length > 0 ? `,${where}${[...shown, ...more].join(", ")}` : ""}.`;
}

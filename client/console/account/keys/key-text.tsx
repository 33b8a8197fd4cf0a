import type { components } from "../../../../generated/account/types.ts";
import { moneyText } from "../../ui/money.tsx";
import { Badge } from "../../ui/page.tsx";
import { keyStatusWords } from "../../ui/words.ts";

export type Key = components["schemas"]["Key"];

const TONES = { active: "good", revoked: "plain", expired: "warn" } as const;

/** What people know a key by. */
export function keyName({ name, preview }: Pick<Key, "name" | "preview">): string {
  return name ?? preview;
}

export function KeyStatus({ status }: Pick<Key, "status">) {
  const tone = Object.hasOwn(TONES, status) ? TONES[status as keyof typeof TONES] : "plain";
  return <Badge tone={tone}>{keyStatusWords(status)}</Badge>;
}

/** A cap as it was set, and the shop's ceiling, where there are such. */
export function capText(cap: string | null, ceiling: string | null): string {
  const set = cap === null ? "No cap of yours" : moneyText(cap);
  return ceiling === null ? set : `${set}; the shop allows ${moneyText(ceiling)}`;
}

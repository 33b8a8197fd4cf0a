import type { ComponentProps } from "react";
import { Badge } from "../../ui/page.tsx";
import { orderStatusWords } from "../../ui/words.ts";

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  processing: "warn",
  retryable: "warn",
  delivered: "good",
  failed: "danger",
};

/** The state of an order, in a word. */
export function OrderState({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? "plain"}>{orderStatusWords(status)}</Badge>;
}

import { type PrismFront, startPrismFront } from "./prism-front.ts";

let front: Promise<PrismFront> | null = null;

/** Prism in front of the services of this process, whose test files share it; started when it is first wanted. */
export function sharedPrismFront(): Promise<PrismFront> {
  front ??= startPrismFront();
  return front;
}

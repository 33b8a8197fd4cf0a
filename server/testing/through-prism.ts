import type { PrismFront } from "../../contract-tests/prism/prism-front.ts";

/**
 * Whether tests reach services through Prism, which then checks the answers in place of the services: the case in
 * `npm run test:proxied` and nowhere else.
 */
export const goesThroughPrism = process.env.THROUGH_PRISM === "1";

let front: Promise<PrismFront> | null = null;

/** Prism in front of the services of this process, whose test files share it; started when it is first wanted. */
export function prismFront(): Promise<PrismFront> {
  front ??= import("../../contract-tests/prism/prism-front.ts").then((module) => module.startPrismFront());
  return front;
}

/** @returns where tests reach the service that is at `serviceUrl`: there, or at Prism in front of it. */
export async function reachableUrl(serviceUrl: string): Promise<string> {
  return goesThroughPrism ? (await prismFront()).open(serviceUrl) : serviceUrl;
}

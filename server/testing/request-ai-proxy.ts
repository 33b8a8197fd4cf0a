import { type Answer, requestShop } from "./request-shop.ts";
import type { TestShop } from "./test-shop.ts";

/** One request to the AI proxy of a shop, with its general key; a body makes it a POST. */
export function requestAiProxy(
  { baseUrl, generalKey }: Pick<TestShop, "baseUrl" | "generalKey">,
  path: string,
  options: Partial<Parameters<typeof requestShop>[2]> = {},
): Promise<Answer> {
  return requestShop(new URL(baseUrl).origin, path, { key: generalKey, ...options });
}

/** What every error of the AI proxy looks like, and has nothing beside. */
export function aiProxyError(type: string, message: unknown) {
  return { type: "error", error: { type, message } };
}

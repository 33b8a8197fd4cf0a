import { type Answer, callShop } from "./call-shop.ts";
import type { TestShop } from "./test-shop.ts";

/** One request to the AI proxy of a shop, with its general key; a body makes it a POST. */
export function callProxy(
  { baseUrl, generalKey }: Pick<TestShop, "baseUrl" | "generalKey">,
  path: string,
  options: Partial<Parameters<typeof callShop>[2]> = {},
): Promise<Answer> {
  return callShop(new URL(baseUrl).origin, path, { key: generalKey, ...options });
}

/** What every error of the AI proxy looks like, and has nothing beside. */
export function proxyError(type: string, message: unknown) {
  return { type: "error", error: { type, message } };
}

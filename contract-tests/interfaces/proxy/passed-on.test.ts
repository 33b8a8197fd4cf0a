import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addModels, startTestAiProxy, type TestAiProxy } from "../../../server/testing/test-ai-proxy.ts";
import { headersWith, type Operation, openContract } from "../../contract.ts";

// Operations that pass requests on read no parameter by themselves, so the types do not tell whether one is forgotten.

const { operations } = openContract("proxy");
const passing = operations.filter(({ operationId }) => {
  const name = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const handler = new URL(`../../../server/interfaces/proxy/${name}.ts`, import.meta.url);
  return readFileSync(handler, "utf8").includes("rawOperation(");
});
const cases = passing.flatMap((operation) =>
  operation.parameters.map(({ in: place, name }) => ({
    operation,
    place,
    name,
    title: operation.operationId,
  })),
);

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo"]);
});
afterAll(() => shop.stop());

test("two operations pass requests on", () => expect(passing).toHaveLength(2));

test.each(cases)("$title passes on the $place parameter $name", async ({ operation, place, name }) => {
  shop.upstream.forget();
  const value = "2023-06-01";
  const query = place === "query" ? `?${name}=${value}` : "";
  const response = await fetch(`${shop.proxyUrl}${operation.path}${query}`, {
    method: operation.method,
    headers: headersOf(operation, place === "header" ? { [name]: value } : {}),
    body: JSON.stringify({
      model: "sim-echo",
      max_tokens: 1,
      messages: [{ role: "user", content: "Hello." }],
    }),
  });
  await response.text();
  const [sent] = shop.upstream.answered();
  expect(sent?.path ?? "nothing was sent").toBe(`${operation.path}${query}`);
  if (place === "header") expect(sent?.headers[name.toLowerCase()]).toBe(value);
});

function headersOf(
  { admissions: [admission] }: Operation,
  own: Record<string, string>,
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "anthropic-version": "2023-06-01",
    ...(admission && headersWith(admission, shop.generalKey)),
    ...own,
  };
}

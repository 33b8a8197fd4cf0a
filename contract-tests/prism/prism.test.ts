import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Operation, openContract } from "../contract.ts";
import { type MockProcess, startMock } from "./mock-process.ts";

const contract = openContract("ordering");
const cases = contract.operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content["application/json"]?.examples ?? {}).map(([example, { value }]) => ({
      title: `${operation.operationId} ${status} ${example}`,
      operation,
      status: Number(status),
      example,
      value,
    })),
  ),
);

describe("the mock", () => {
  let mock: MockProcess;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.stop());

  test.each(cases)("answers $title", async ({ operation, status, example, value }) => {
    const response = await send(mock, operation, { Prefer: `code=${status}, example=${example}` });
    expect(await faultsOf(operation, response.clone())).toEqual([]);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(value);
  });

  test.each(contract.operations.filter(({ security }) => security.length > 0))(
    "asks for a key at $operationId",
    async (operation) => {
      const response = await send(mock, operation, { Authorization: undefined });
      expect(response.status).toBe(401);
    },
  );
});

test("the mock can make up answers that keep to the contract", async () => {
  const mock = await startMock("--dynamic");
  onTestFinished(() => void mock.stop());
  for (const operation of contract.operations) {
    for (const status of Object.keys(operation.responses)) {
      const response = await send(mock, operation, { Prefer: `code=${status}` });
      expect(await faultsOf(operation, response)).toEqual([]);
    }
  }
});

test.each(["SIGINT", "SIGTERM"] as const)("the mock stops cleanly on %s", async (signal) => {
  const mock = await startMock();
  expect(await mock.stop(signal)).toBe(0);
  await expect(fetch(mock.baseUrl)).rejects.toThrow();
});

async function faultsOf(operation: Operation, response: Response): Promise<string[]> {
  const { status, headers } = response;
  return contract.faultsOf(operation, {
    status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  });
}

/** Sends the request that the examples of the document make up. */
function send(mock: MockProcess, operation: Operation, headers: Record<string, string | undefined> = {}) {
  const { method, path, parameters = [], requestBody } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((it) => it.name === name)?.example),
  );
  const [body] = Object.values(requestBody?.content["application/json"]?.examples ?? {});
  const all = { Authorization: "Bearer svc_sk_any", "Content-Type": body && "application/json", ...headers };
  return fetch(`${mock.baseUrl}${filled}`, {
    method,
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: body ? JSON.stringify(body.value) : null,
  });
}

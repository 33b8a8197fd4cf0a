import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Contract, INTERFACES, type InterfaceName, type Operation, openContract } from "../contract.ts";
import { type MockProcess, startMock } from "./mock-process.ts";

const JSON_TYPE = "application/json";

/** Every example of every answer, with what asks for it. */
const casesOf = ({ operations }: Contract) =>
  operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.entries(content).flatMap(([mediaType, { examples }]) =>
        Object.entries(examples).map(([example, { value }]) => ({
          title: `${operation.operationId} ${status} ${example}`,
          operation,
          status: Number(status),
          example,
          mediaType,
          value,
        })),
      ),
    ),
  );

describe.each(INTERFACES)("the mock of the %s interface", (name) => {
  const contract = openContract(name);
  let mock: MockProcess;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.stop());

  test.each(casesOf(contract))("answers $title", async ({ operation, status, example, mediaType, value }) => {
    const headers = { Accept: mediaType, Prefer: `code=${status}, example=${example}` };
    const response = await send(mock, name, operation, headers);
    expect(await faultsOf(contract, operation, response.clone())).toEqual([]);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, mediaType]);
    expect(await (mediaType === JSON_TYPE ? response.json() : response.text())).toEqual(value);
  });

  test.each(contract.operations.filter(({ security }) => security.length > 0))(
    "asks for a key at $operationId",
    async (operation) => {
      const response = await send(mock, name, operation, { Authorization: undefined });
      expect(response.status).toBe(401);
    },
  );
});

test("the mock of the proxy takes the key in any of the three headers", async () => {
  const mock = await startMock();
  onTestFinished(() => void mock.stop());
  for (const header of ["x-api-key", "Authorization", "proxy-token"]) {
    const response = await fetch(`${mock.baseUrls.proxy}/v1/me`, { headers: { [header]: "Bearer any" } });
    expect(response.status).toBe(200);
  }
});

test("the mock can make up answers that keep to the contract", async () => {
  const mock = await startMock("--dynamic");
  onTestFinished(() => void mock.stop());
  for (const name of INTERFACES) {
    const contract = openContract(name);
    for (const operation of contract.operations) {
      for (const status of Object.keys(operation.responses)) {
        const response = await send(mock, name, operation, { Prefer: `code=${status}` });
        expect(await faultsOf(contract, operation, response)).toEqual([]);
      }
    }
  }
});

test.each(["SIGINT", "SIGTERM"] as const)("the mock stops cleanly on %s", async (signal) => {
  const mock = await startMock();
  expect(await mock.stop(signal)).toBe(0);
  for (const url of Object.values(mock.baseUrls)) await expect(fetch(url)).rejects.toThrow();
});

async function faultsOf(contract: Contract, operation: Operation, response: Response): Promise<string[]> {
  const { status, headers } = response;
  return contract.faultsOf(operation, {
    status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  });
}

/** Sends the request that the examples of the document make up. */
function send(
  mock: MockProcess,
  name: InterfaceName,
  operation: Operation,
  headers: Record<string, string | undefined> = {},
) {
  const { method, path, parameters = [], requestBody } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((it) => it.name === name)?.example),
  );
  const [body] = Object.values(requestBody?.content[JSON_TYPE]?.examples ?? {});
  const all = {
    Accept: JSON_TYPE,
    Authorization: "Bearer svc_sk_any",
    "Content-Type": body && JSON_TYPE,
    ...headers,
  };
  return fetch(`${mock.baseUrls[name]}${filled}`, {
    method,
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: body ? JSON.stringify(body.value) : null,
  });
}

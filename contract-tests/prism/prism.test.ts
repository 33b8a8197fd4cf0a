import { readFile } from "node:fs/promises";
import { join } from "node:path";
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

let mock: MockProcess;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

describe.each(INTERFACES)("the mock of the %s interface", (name) => {
  const contract = openContract(name);
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

describe("the mock answers in the interface's own words", () => {
  const operations = INTERFACES.flatMap((name) =>
    openContract(name).operations.map((operation) => ({ name, operation, title: operation.operationId })),
  );
  const withStatus400 = operations.filter(({ operation }) => "400" in operation.responses);

  async function expect400(name: InterfaceName, operation: Operation, response: Response) {
    expect(await faultsOf(openContract(name), operation, response)).toEqual([]);
    expect([response.status, response.headers.get("sl-violations")]).toEqual([400, expect.any(String)]);
  }

  test.each(withStatus400.filter(({ operation }) => operation.requestBody))(
    "a body of $title that the contract does not allow",
    async ({ name, operation }) => {
      for (const body of ["{}", "[]", "null", "", "{", '{"a":', '"text"']) {
        await expect400(name, operation, await send(mock, name, operation, {}, { body }));
      }
      const headers = { "Content-Type": "text/plain" };
      await expect400(name, operation, await send(mock, name, operation, headers));
    },
  );

  test.each(withStatus400.filter(({ operation }) => operation.method === "GET"))(
    "a query of $title that the contract does not allow",
    async ({ name, operation }) => {
      const query = "?qty=0&limit=0";
      await expect400(name, operation, await send(mock, name, operation, {}, { query }));
    },
  );

  test("a path or a method that it does not know, with the reason", async () => {
    for (const [method, path, status, reason] of [
      ["GET", "/nothing", 404, "The route /shop/v1/nothing hasn't been found"],
      ["DELETE", "/orders", 405, 'it does not have "delete" method defined'],
    ] as const) {
      const response = await fetch(`${mock.baseUrls.ordering}${path}`, { method });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining(reason) });
    }
  });

  test("a request for a stream, with a stream or an error", async () => {
    const [createMessage] = openContract("proxy").operations.filter(
      (it) => it.operationId === "createMessage",
    );
    if (createMessage === undefined) throw new Error("There is no createMessage.");
    const body = JSON.stringify({
      model: "a",
      max_tokens: 1,
      messages: [{ role: "user", content: "a" }],
      stream: true,
    });
    const ask = (headers: Record<string, string>) => send(mock, "proxy", createMessage, headers, { body });
    for (const Accept of ["application/json", "text/event-stream", "*/*"]) {
      const stream = await ask({ Accept });
      expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
      expect(await stream.text()).toMatch(/^event: message_start\n[\s\S]*event: message_stop\n/);
      expect((await ask({ Accept, Prefer: "code=529" })).status).toBe(529);
    }
  });
});

test("the mock can be called from pages of any origin, and lets them read every header", async () => {
  const Origin = "http://localhost:5173";
  const asked = ["authorization", "content-type", "prefer", "x-api-key", "x-request-id", "anthropic-version"];
  for (const url of [`${mock.baseUrls.ordering}/orders`, `${mock.baseUrls.proxy}/v1/messages`]) {
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: {
        Origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": asked.join(","),
      },
    });
    expect(preflight.status).toBe(204);
    const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`);
    expect([allowed("origin"), allowed("methods"), allowed("headers")]).toEqual([
      Origin,
      "POST",
      asked.join(","),
    ]);
    const answer = await fetch(url, { method: "POST", headers: { Origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(Origin);
    expect(answer.headers.get("access-control-expose-headers")).toBe("*");
  }
});

test("spec/README.md names every example", async () => {
  const readme = await readFile(join(import.meta.dirname, "../../spec/README.md"), "utf8");
  const rowOf = ({ operationId, responses }: Operation) => {
    const answers = Object.entries(responses).map(([status, { content }]) => {
      const names = Object.values(content).flatMap(({ examples }) => Object.keys(examples));
      return `${status} ${names.map((name) => `\`${name}\``).join(", ")}`;
    });
    return `| \`${operationId}\` | ${answers.join("; ")} |`;
  };
  const rows = INTERFACES.flatMap((name) => openContract(name).operations).map(rowOf);
  expect(readme.match(/^\| `\w+` \| 200 .*$/gm)).toEqual(rows);
});

test("the mock of the proxy takes the key in any of the three headers", async () => {
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

/** Sends the request that the examples of the document make up, or with another query or body. */
function send(
  mock: MockProcess,
  name: InterfaceName,
  operation: Operation,
  headers: Record<string, string | undefined> = {},
  { query = "", body: text }: { query?: string; body?: string } = {},
) {
  const { method, path, parameters = [], requestBody } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((it) => it.name === name)?.example),
  );
  const [example] = Object.values(requestBody?.content[JSON_TYPE]?.examples ?? {});
  const body = text ?? (example && JSON.stringify(example.value));
  const all = {
    Accept: JSON_TYPE,
    Authorization: "Bearer svc_sk_any",
    "Content-Type": body === undefined ? undefined : JSON_TYPE,
    ...headers,
  };
  return fetch(`${mock.baseUrls[name]}${filled}${query}`, {
    method,
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: body ?? null,
  });
}

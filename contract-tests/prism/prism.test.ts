import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type Answer,
  type Contract,
  headersWith,
  INTERFACES,
  type Operation,
  openContract,
} from "../contract.ts";
import { askMock } from "./ask-mock.ts";
import { type RunningMock, startMock } from "./start-mock.ts";

const JSON_TYPE = "application/json";
/** It lets pages read its answers, says what is wrong with a request, and has the time of today beside that of the examples. */
const OF_THE_MOCK = /^(access-control-.*|date|vary|sl-violations)$/;

/** Every example of every answer, and the answers without a body, with what asks for them. */
const casesOf = ({ operations }: Contract) =>
  operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) => {
      const asked = { operation, status: Number(status), title: `${operation.operationId} ${status}` };
      const examples = Object.entries(content).flatMap(([mediaType, media]) =>
        Object.entries(media.examples).map(([example, { value }]) => ({
          ...asked,
          title: `${asked.title} ${example}`,
          prefer: `code=${status}, example=${example}`,
          mediaType,
          value,
        })),
      );
      const empty = { ...asked, prefer: `code=${status}`, mediaType: null, value: "" };
      return [...examples, ...(examples.length === 0 ? [empty] : [])];
    }),
  );

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

describe.each(INTERFACES)("the mock of the %s interface", (name) => {
  const contract = openContract(name);
  test.each(casesOf(contract))("answers $title", async ({ operation, status, prefer, mediaType, value }) => {
    const headers = { Accept: mediaType ?? "*/*", Prefer: prefer };
    const response = await askMock(mock.baseUrl(name), operation, headers);
    expect(await faultsOf(contract, operation, response.clone())).toEqual([]);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, mediaType]);
    expect(await (mediaType === JSON_TYPE ? response.json() : response.text())).toEqual(value);
  });

  const guarded = contract.operations.filter(({ admissions }) => admissions.length > 0);
  test.each(guarded)("asks for a key at $operationId", async (operation) => {
    const response = await askMock(mock.baseUrl(name), operation, {
      [operation.admissions[0]?.header ?? ""]: undefined,
    });
    expect(response.status).toBe(401);
  });

  const ways = guarded.flatMap((operation) =>
    operation.admissions.map((admission) => ({ operation, admission, title: operation.operationId })),
  );
  test.each(ways)("takes a key for $title as $admission.header", async ({ operation, admission }) => {
    const without = Object.fromEntries(operation.admissions.map(({ header }) => [header, undefined]));
    const response = await askMock(mock.baseUrl(name), operation, {
      ...without,
      ...headersWith(admission, "any"),
      accept: "*/*",
    });
    expect(response.status).toBeLessThan(300);
  });

  test("says why it does not know a path or a method", async () => {
    const { path = "", method } = contract.operations.find((it) => !it.path.includes("{")) ?? {};
    const known = new Set(contract.operations.filter((it) => it.path === path).map((it) => it.method));
    const unknown = ["DELETE", "PUT", "GET"].find((it) => !known.has(it)) ?? method ?? "";
    for (const [asked, url, status, reason] of [
      ["GET", "/nothing-at-all", 404, `The route ${contract.basePath}/nothing-at-all hasn't been found`],
      [unknown, path, 405, `it does not have "${unknown.toLowerCase()}" method defined`],
    ] as const) {
      const response = await fetch(mock.baseUrl(name) + url, { method: asked });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining(reason) });
    }
  });
});

describe("the mock answers in the interface's own words", () => {
  const operations = INTERFACES.flatMap((name) =>
    openContract(name).operations.map((operation) => {
      return { name, operation, title: `${name} ${operation.operationId}` };
    }),
  );
  const withStatus400 = operations.filter(({ operation }) => "400" in operation.responses);

  async function expect400(name: string, operation: Operation, response: Response) {
    expect(await faultsOf(openContract(name), operation, response)).toEqual([]);
    expect([response.status, response.headers.get("sl-violations")]).toEqual([400, expect.any(String)]);
  }

  test.each(withStatus400.filter(({ operation }) => operation.requestBody?.content[JSON_TYPE]))(
    "a body of $title that the contract does not allow",
    async ({ name, operation }) => {
      for (const body of ["{}", "[]", "null", "", "{", '{"a":', '"text"']) {
        await expect400(name, operation, await askMock(mock.baseUrl(name), operation, {}, { body }));
      }
      const headers = { "Content-Type": "text/plain" };
      await expect400(name, operation, await askMock(mock.baseUrl(name), operation, headers));
    },
  );

  const withLimits = withStatus400.flatMap((it) =>
    it.operation.parameters
      .filter((parameter) => parameter.in === "query" && parameter.schema.minimum !== undefined)
      .map((parameter) => ({ ...it, query: `?${parameter.name}=${parameter.schema.minimum - 1}` })),
  );
  test.each(withLimits)(
    "a query of $title that the contract does not allow: $query",
    async ({ name, operation, query }) => {
      await expect400(name, operation, await askMock(mock.baseUrl(name), operation, {}, { query }));
    },
  );
});

test("the mock can be called from pages of any origin, and lets them read every header", async () => {
  const Origin = "http://localhost:5173";
  const asked = ["authorization", "content-type", "prefer", "x-api-key", "x-request-id", "anthropic-version"];
  for (const name of INTERFACES) {
    const { method, path } = firstWrite(openContract(name));
    const url = `${mock.baseUrl(name)}${path}`;
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: {
        Origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": asked.join(","),
      },
    });
    expect(preflight.status).toBe(204);
    const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`);
    expect([allowed("origin"), allowed("methods"), allowed("headers")]).toEqual([
      Origin,
      method,
      asked.join(","),
    ]);
    const answer = await fetch(url, { method, headers: { Origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(Origin);
    expect(answer.headers.get("access-control-expose-headers")).toBe("*");
  }
});

test.each(INTERFACES)("the mock of %s can make up answers that keep to the contract", async (name) => {
  const mock = await startMock({ dynamic: true });
  onTestFinished(() => void mock.stop());
  const contract = openContract(name);
  for (const operation of contract.operations) {
    for (const status of Object.keys(operation.responses)) {
      const headers = { Accept: "*/*", Prefer: `code=${status}` };
      const response = await askMock(mock.baseUrl(name), operation, headers);
      // What is made up means nothing.
      expect(contract.shapeFaultsOf(operation, await answerOf(response))).toEqual([]);
    }
  }
});

async function faultsOf(contract: Contract, operation: Operation, response: Response): Promise<string[]> {
  return contract.faultsOf(operation, await answerOf(response));
}

/** The answer, without the headers that the mock has beside those of the service. */
async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const own = [...headers].filter(([name]) => !OF_THE_MOCK.test(name));
  return { status, headers: Object.fromEntries(own), body: await response.text() };
}

/** An operation that takes a body, or else the first. */
function firstWrite({ operations }: Contract): Operation {
  const write =
    operations.find(({ requestBody, path }) => requestBody && !path.includes("{")) ?? operations[0];
  if (write === undefined) throw new Error("The contract has no operation.");
  return write;
}

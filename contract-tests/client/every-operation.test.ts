import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderingClient } from "../../client/ordering-client.ts";
import { createProxyClient } from "../../client/proxy-client.ts";
import type { operations as OrderingOperations } from "../../generated/ordering/types.ts";
import type { operations as ProxyOperations } from "../../generated/proxy/types.ts";
import { INTERFACES, openContract } from "../contract.ts";
import { type RunningMock, startMock } from "../prism/start-mock.ts";

type OperationId = keyof (OrderingOperations & ProxyOperations);

/** What an operation gives. An error is told by its `error` in one interface and by its `type` in the other. */
interface Told {
  readonly data?: unknown;
  readonly error?: {
    readonly error?: string;
    readonly type?: string;
    readonly status: number;
    readonly message: string;
    readonly retryAfterMs: number | null;
  };
}

interface Example {
  readonly title: string;
  readonly operationId: OperationId;
  readonly status: number;
  readonly example: string;
  readonly value: unknown;
}

const answers = INTERFACES.flatMap((name) => openContract(name).operations).flatMap(
  ({ operationId, responses }) =>
    Object.entries(responses).map(([status, { content }]) => ({
      operationId: operationId as OperationId,
      status: Number(status),
      // Streams are read in proxy-client.test.ts.
      json: content["application/json"],
    })),
);
const examples = answers.flatMap(({ operationId, status, json }) =>
  Object.entries(json?.examples ?? {}).map(([example, { value }]): Example => {
    const title = `${operationId} ${status} ${example}`;
    return { title, operationId, status, example, value };
  }),
);
/** Every error of every operation, as `createOrder 409 out_of_stock`. */
const documentedErrors = answers
  .filter(({ status }) => status !== 200)
  .flatMap(({ operationId, status, json }) => {
    const error = json?.schema.properties.error;
    const codes: string[] = error.enum ?? error.properties.type.enum;
    return codes.map((code) => `${operationId} ${status} ${code}`);
  });

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

/** A call of every operation; one that is missing does not compile. */
function callsWith(fetch: (request: Request) => Promise<Response>): Record<OperationId, () => Promise<Told>> {
  const apiKey = "svc_sk_any";
  const ordering = createOrderingClient({ baseUrl: mock.baseUrls.ordering, apiKey, fetch });
  const proxy = createProxyClient({ baseUrl: mock.baseUrls.proxy, apiKey, fetch });
  const order = { externalOrderId: "a-1", productId: "pen", qty: 1 };
  const request = { model: "any", messages: [{ role: "user", content: "Hello!" }] };
  return {
    getPricing: () => ordering.getPricing(),
    listProducts: () => ordering.listProducts(),
    checkAvailability: () => ordering.checkAvailability("pen"),
    getBalance: () => ordering.getBalance(),
    createOrder: () => ordering.createOrder(order),
    listOrders: () => ordering.listOrders(),
    getOrder: () => ordering.getOrder("ord_1"),
    createMessage: () => proxy.messages.create({ ...request, max_tokens: 10 }),
    countTokens: () => proxy.messages.countTokens(request),
    listModels: () => proxy.listModels(),
    getAccount: () => proxy.getAccount(),
    listUsage: () => proxy.listUsage(),
    listLedger: () => proxy.listLedger(),
  };
}

/** Sends every request on to the mock, asking for that example. */
function asking({ status, example }: Example) {
  const sent: Request[] = [];
  return {
    sent,
    fetch(request: Request) {
      sent.push(request);
      request.headers.set("Prefer", `code=${status}, example=${example}`);
      return fetch(request);
    },
  };
}

/** What the clients have told, as `createOrder 409 out_of_stock`. */
const toldErrors = new Set<string>();

test.each(examples)("$title of the mock is told as it is, and nothing is sent again", async (example) => {
  const { operationId, status, value } = example;
  const { sent, fetch } = asking(example);
  const { data, error } = await callsWith(fetch)[operationId]();
  expect(sent).toHaveLength(1);
  if (status === 200) {
    expect({ data, error }).toEqual({ data: value });
    return;
  }
  const body = value as { error: string | { type: string; message: string }; message?: string };
  expect(data).toBeUndefined();
  const words = typeof body.error === "string" ? body : body.error;
  expect(error).toMatchObject({ ...words, status });
  if (status === 429 || status === 529) expect(error?.retryAfterMs).toBeGreaterThanOrEqual(1000);
  toldErrors.add(`${operationId} ${status} ${error?.error ?? error?.type}`);
});

test("that is every error of every operation of both interfaces", () => {
  expect(documentedErrors.length).toBeGreaterThan(50);
  expect([...toldErrors].sort()).toEqual(documentedErrors.sort());
});

test.each(examples.filter(({ operationId, status }) => operationId === "createMessage" && status !== 200))(
  "$title is told of a stream that does not begin",
  async (example) => {
    const { fetch } = asking(example);
    const { messages } = createProxyClient({ baseUrl: mock.baseUrls.proxy, apiKey: "svc_sk_any", fetch });
    const request = { model: "any", max_tokens: 10, messages: [{ role: "user", content: "Hello!" }] };
    const { error } = await messages.stream(request);
    expect(error).toMatchObject({ ...(example.value as { error: object }).error, status: example.status });
  },
);

test("the stream of the mock is read to its end", async () => {
  const { messages } = createProxyClient({ baseUrl: mock.baseUrls.proxy, apiKey: "svc_sk_any" });
  const request = { model: "any", max_tokens: 10, messages: [{ role: "user", content: "Hello!" }] };
  const { data: stream } = await messages.stream(request);
  expect((await stream?.finalMessage())?.content).toEqual([{ type: "text", text: "Paris." }]);
});

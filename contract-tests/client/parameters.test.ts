import { expect, test } from "vitest";
import { createOrderingClient, type OrderQuery } from "../../client/ordering-client.ts";
import { createProxyClient } from "../../client/proxy-client.ts";
import { openContract } from "../contract.ts";

// What the client takes it sends, and what the headers of an error say it tells: for every parameter and every error answer of
// the documents.

type Query = Record<string, string | number>;
type Fetch = (request: Request) => Promise<Response>;

const apiKey = "svc_sk_any";
const message = { model: "any", max_tokens: 10, messages: [{ role: "user", content: "Hello!" }] };
const ordering = (fetch: Fetch) =>
  createOrderingClient({ baseUrl: "https://shop.example/shop/v1", apiKey, fetch });
const proxy = (fetch: Fetch) => createProxyClient({ baseUrl: "https://shop.example", apiKey, fetch });

/** What only SDKs of the models' vendor send. */
const NOT_TAKEN = ["proxy createMessage beta", "proxy countTokens beta", "proxy getModel beta"];

/** A call of every operation that takes a query, by its interface and name. */
const CALLS: Readonly<Record<string, (fetch: Fetch, query: Query) => Promise<unknown>>> = {
  "ordering checkAvailability": (fetch, { qty }) => ordering(fetch).checkAvailability("pen", Number(qty)),
  "ordering listOrders": (fetch, query) => ordering(fetch).listOrders(query as OrderQuery),
  "proxy listModels": (fetch, query) => proxy(fetch).listModels(query),
  "proxy listUsage": (fetch, query) => proxy(fetch).listUsage(query),
  "proxy listLedger": (fetch, query) => proxy(fetch).listLedger(query),
};

const asked = ["ordering", "proxy"].flatMap((name) =>
  openContract(name).operations.flatMap(({ operationId, parameters }) => {
    const names = parameters.filter((it) => it.in === "query").map((it) => it.name);
    const taken = names.filter((it) => !NOT_TAKEN.includes(`${name} ${operationId} ${it}`));
    return taken.length === 0 ? [] : [{ title: `${name} ${operationId}`, names: taken }];
  }),
);

test.each(asked)("the client sends every query parameter of $title", async ({ title, names }) => {
  const call = CALLS[title];
  if (call === undefined) throw new Error(`Say in CALLS how the client makes ${title}.`);
  const query = Object.fromEntries(names.map((name, index) => [name, index + 1]));
  const sent: Query[] = [];
  await call(async ({ url }) => {
    sent.push(Object.fromEntries(new URL(url).searchParams));
    return Response.json({});
  }, query);
  const texts = Object.fromEntries(names.map((name, index) => [name, String(index + 1)]));
  expect(sent, `what the client sends of ${title}, which was called with ${names.join(", ")}`).toEqual([
    texts,
  ]);
});

const refused = ["ordering createOrder", "proxy createMessage"].flatMap((title) => {
  const [name = "", wanted] = title.split(" ");
  const { responses = {} } =
    openContract(name).operations.find(({ operationId }) => operationId === wanted) ?? {};
  return Object.entries(responses).flatMap(([status, { headers, content }]) =>
    Object.entries(content["application/json"]?.examples ?? {})
      .filter(() => !status.startsWith("2"))
      .map(([example, { value }]) => ({ title: `${title} ${status} ${example}`, status, headers, value })),
  );
});

test.each(refused)("the client tells what the headers of $title say", async ({ title, ...answer }) => {
  const { status, headers, value } = answer;
  for (const shouldRetry of [true, false]) {
    const said = { "Retry-After": "7", "X-Should-Retry": String(shouldRetry) };
    const documented = Object.entries(said).filter(([header]) => header in headers);
    const fetch = async () =>
      Response.json(value, { status: Number(status), headers: Object.fromEntries(documented) });
    const { error } = title.startsWith("proxy")
      ? await proxy(fetch).messages.create(message)
      : await ordering(fetch).createOrder({ externalOrderId: "a-1", productId: "pen", qty: 1 });
    const { retryAfterSeconds = 7 } = (value as { details?: { retryAfterSeconds?: number } }).details ?? {};
    expect(error, `the error of ${title}`).toMatchObject({
      ...("Retry-After" in headers && { retryAfterMs: 1_000 * retryAfterSeconds }),
      ...("X-Should-Retry" in headers && { shouldRetry }),
    });
  }
});

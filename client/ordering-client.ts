import createClient, { type Client } from "openapi-fetch";
import type { components, operations, paths } from "../generated/ordering/types.ts";
import { checkAddress } from "./address.ts";
import { limitResponseSize } from "./limit-response-size.ts";
import { minimalTransport, type Send } from "./minimal-transport.ts";
import { type OrderingError, readOrderingError } from "./ordering-errors.ts";
import { type CallOptions, createRequester, type Result } from "./requester.ts";

type Schemas = components["schemas"];

/** An order, and everything else that the interface gives. */
export type Order = Schemas["Order"];
/** What is to be bought, under an id that the caller made and has stored. */
export type OrderRequest = Schemas["OrderRequest"];
/** Which orders to list. */
export type OrderQuery = NonNullable<operations["listOrders"]["parameters"]["query"]>;

/** An answer of the ordering interface. */
export type OrderingResult<Data> = Result<Data, OrderingError>;

/**
 * The operations of the ordering interface by their names. Each call sends one request with an id and a time limit, and
 * gives `{ data, error, response, requestId }`, where `error` is a union on its stable code.
 * @throws {NoAnswerError} when there is no answer that can be read. @throws the reason of a signal that is aborted.
 */
export interface OrderingOperations {
  getPricing(options?: CallOptions): Promise<OrderingResult<Schemas["Pricing"]>>;
  listProducts(options?: CallOptions): Promise<OrderingResult<Schemas["ProductList"]>>;
  /** @param qty 1 to 1000. */
  checkAvailability(
    productId: string,
    qty?: number,
    options?: CallOptions,
  ): Promise<OrderingResult<Schemas["Availability"]>>;
  getBalance(options?: CallOptions): Promise<OrderingResult<Schemas["Balance"]>>;
  /** Sends an order once. `createPurchases` knows when to send it again. */
  createOrder(order: OrderRequest, options?: CallOptions): Promise<OrderingResult<Order>>;
  listOrders(query?: OrderQuery, options?: CallOptions): Promise<OrderingResult<Schemas["OrderList"]>>;
  getOrder(orderId: string, options?: CallOptions): Promise<OrderingResult<Order>>;
}

/**
 * A client of the ordering interface: its operations by name, and below them openapi-fetch's bare `GET` and `POST` by
 * path, which give bodies as they came and have no time limit.
 */
export interface OrderingClient extends Client<paths>, OrderingOperations {
  readonly baseUrl: string;
}

/** Where the service is and who calls. */
export interface OrderingClientOptions {
  /** The interface with its base path, such as `https://shop.example/shop/v1`. */
  readonly baseUrl: string;
  /** Keep it on the server: its holder can spend the balance. */
  readonly apiKey: string;
  /** How long an operation waits for its answer; 30 s without it, since an order is answered within 25. */
  readonly timeoutMs?: number;
  /** Used instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sends requests in a way of its own; limits and redirects are up to it. */
  readonly send?: Send;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Makes a client of the ordering interface. An HTTP error is no exception: the result has `data` or `error`, and
 * `response`. What does throw is a connection that fails, an answer that is no JSON, one that is larger than any of the
 * interface's (4 MiB), and a redirect: the key is meant for one address.
 * @throws {RangeError} for a base URL or a key that cannot be one.
 */
export function createOrderingClient(options: OrderingClientOptions): OrderingClient {
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, send } = options;
  const baseUrl = checkAddress(options);
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}`, Accept: "application/json" },
    redirect: "error",
    ...(send === undefined
      ? { fetch: limitResponseSize(options.fetch ?? ((request) => fetch(request))) }
      : minimalTransport(send)),
  });
  return { ...client, baseUrl, ...operationsOf(client, timeoutMs) };
}

function operationsOf(client: Client<paths>, timeoutMs: number): OrderingOperations {
  const call = createRequester(timeoutMs, readOrderingError);
  return {
    getPricing: (options) => call(options, (init) => client.GET("/pricing", init)),
    listProducts: (options) => call(options, (init) => client.GET("/products", init)),
    checkAvailability(id, qty = 1, options = {}) {
      const params = { path: { id }, query: { qty } };
      return call(options, (init) => client.GET("/products/{id}/availability", { params, ...init }));
    },
    getBalance: (options) => call(options, (init) => client.GET("/balance", init)),
    createOrder: (body, options) => call(options, (init) => client.POST("/orders", { body, ...init })),
    listOrders: (query = {}, options = {}) =>
      call(options, (init) => client.GET("/orders", { params: { query }, ...init })),
    getOrder: (id, options) =>
      call(options, (init) => client.GET("/orders/{id}", { params: { path: { id } }, ...init })),
  };
}

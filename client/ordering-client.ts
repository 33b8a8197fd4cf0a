import createClient, { type Client } from "openapi-fetch";
import type { paths } from "../generated/ordering/types.ts";
import { limitAnswers } from "./limit-answers.ts";
import { plainExchange, type Send } from "./plain-exchange.ts";

/** The ordering interface as typed functions: `client.GET("/products")`, `client.POST("/orders", { body })`. */
export type OrderingClient = Client<paths>;

/** Where the service is and who calls. */
export interface OrderingClientOptions {
  /** The interface with its base path, such as `https://shop.example/shop/v1`. */
  readonly baseUrl: string;
  /** Keep it on the server: whoever has it can spend the balance. */
  readonly apiKey: string;
  /** Sends the requests instead of the global `fetch`; limits and redirects are up to it. */
  readonly send?: Send;
}

/**
 * Makes a client of the ordering interface. An HTTP error is no exception: the result has `data` or `error`, and
 * `response`. What does throw is a connection that fails, an answer that is no JSON, one that is larger than any of the
 * interface's (4 MiB), and a redirect: the key is meant for one address.
 */
export function createOrderingClient({ baseUrl, apiKey, send }: OrderingClientOptions): OrderingClient {
  return createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}`, Accept: "application/json" },
    redirect: "error",
    ...(send === undefined ? { fetch: limitAnswers(fetch) } : plainExchange(send)),
  });
}

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createOrderingClient, type Order } from "./ordering-client.ts";
import { type Found, lookUp } from "./purchase-attempt.ts";
import { deliveredOrder, listOf, WANTED } from "./testing/scripted-shop.ts";

const baseUrl = "https://shop.example/shop/v1";
const PURCHASE = {
  ...WANTED,
  ...{ baseUrl, expectedUnitPrice: null, startedAtMs: 0, conclusion: null },
};

/** What the reference says of each state: whether it was bought, may still be, or never will be under its id. */
const DOCUMENTED: Readonly<Record<Order["status"], Found["kind"]>> = {
  processing: "open",
  retryable: "not-bought",
  delivered: "delivered",
  failed: "closed",
  refunded: "closed",
};

/** Looks up a purchase whose order is listed, and read, in that state. */
async function found(status: string): Promise<Found["kind"]> {
  const codes = status === "delivered" ? deliveredOrder().codes : [];
  const order = deliveredOrder({ status: status as Order["status"], codes });
  const answer = ({ url }: Request) => (url.includes("?") ? listOf(order) : Response.json(order));
  const client = createOrderingClient({
    baseUrl,
    apiKey: "svc_sk_a",
    fetch: async (request) => answer(request),
  });
  return (await lookUp(client, PURCHASE, undefined)).kind;
}

const document = JSON.parse(
  readFileSync(new URL("../generated/ordering/openapi.json", import.meta.url), "utf8"),
);
const statuses: Order["status"][] = document.components.schemas.OrderStatus.enum;

test.each(statuses)("a purchase whose order is %s is found to be what the reference says", async (status) => {
  expect(await found(status)).toBe(DOCUMENTED[status]);
});

test.each(["cancelled", "", "Delivered", "toString", "__proto__"])(
  "nothing follows from the state %j, which is none of the reference",
  async (status) => {
    expect(await found(status)).toBe("unknown");
  },
);

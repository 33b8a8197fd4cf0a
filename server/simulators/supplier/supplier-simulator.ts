import { randomBytes } from "node:crypto";
import { type Microcents, ZERO } from "../../money/microcents.ts";
import { createDelays } from "../shared/delays.ts";
import { anySeed } from "../shared/random.ts";
import { errorAnswer, send } from "./answer.ts";
import { shopRoutes } from "./control.ts";
import { createFaultSchedule } from "./fault-schedule.ts";
import type { FaultInput } from "./faults.ts";
import { type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import { type ApiParts, answerOrderingRequest } from "./ordering-api.ts";
import { type OrderStatus, type ProductInput, Shop } from "./shop.ts";

/** How a simulator is started; everything has a default. */
export interface SupplierSimulatorOptions {
  /** 0 (the default) takes any free one. */
  readonly port?: number;
  /** The buyer's key; made at random when not given. */
  readonly apiKey?: string;
  /** What it sells; nothing when not given. */
  readonly products?: readonly ProductInput[];
  /** What the buyer has, in USD; null (the default): endless. */
  readonly balance?: string | null;
  /** How long a purchase takes to be answered. Its effect comes at once. 0 by default. */
  readonly latencyMs?: number;
  /** The same seed makes the same codes; made at random when not given, so that two simulators make different ones. */
  readonly seed?: number;
}

/** What is known of one externalOrderId. */
export interface SimulatedPurchase {
  /** `none`: it was posted and nothing was recorded under it. */
  readonly status: OrderStatus | "none";
  readonly productId: string;
  readonly qty: number;
  /** What the order costs or would cost; 0 where there is none. */
  readonly amountMicrocents: Microcents;
  readonly unitPriceMicrocents: Microcents;
  /** How often it was posted, in whatever way that was answered. */
  readonly requests: number;
  /** The codes that were sold under it, also when it was refunded since. */
  readonly deliveredCodes: readonly string[];
}

/** A supplier that runs. */
export interface SupplierSimulator extends FaultyServer {
  readonly apiKey: string;
  /** By externalOrderId, in the order in which they were first posted. */
  purchases(): Map<string, SimulatedPurchase>;
  /** Adds a product, or changes the one with its id. */
  setProduct(product: ProductInput): void;
  /** In USD. */
  setPrice(productId: string, unitPrice: string): void;
  /** null: endless. */
  setStock(productId: string, stock: number | null): void;
  /** The fault that every purchase of the product has from now on; null: none. */
  setProductFault(productId: string, fault: FaultInput | null): void;
  /** In USD; null: endless. */
  setBalance(balance: string | null): void;
  setLatency(latencyMs: number): void;
  /** Gives the money of a delivered order back. @throws when there is none. */
  refund(externalOrderId: string): void;
}

/** Starts a supplier that speaks the ordering contract and keeps everything in memory. */
export async function startSupplierSimulator({
  port = 0,
  apiKey = `svc_sk_simulator_${randomBytes(12).toString("hex")}`,
  products = [],
  balance = null,
  latencyMs = 0,
  seed = anySeed(),
}: SupplierSimulatorOptions = {}): Promise<SupplierSimulator> {
  const shop = new Shop({ seed, balance });
  for (const product of products) shop.setProduct(product);
  const faults = createFaultSchedule();
  const delays = createDelays();
  const settings = { latencyMs };
  const parts: ApiParts = { shop, faults, delays, apiKey, settings };
  const server = await startFaultyServer({
    port,
    faults,
    delays,
    routes: shopRoutes(shop, settings),
    answer: (request, response) => answerOrderingRequest(parts, request, response),
    onError(error, response) {
      console.error(error);
      send(response, errorAnswer("server_error"));
    },
  });
  return {
    ...server,
    apiKey,
    purchases: () => purchasesOf(shop),
    setProduct: (product) => shop.setProduct(product),
    setPrice: (productId, unitPrice) => shop.changeProduct(productId, { unitPrice }),
    setStock: (productId, stock) => shop.changeProduct(productId, { stock }),
    setProductFault: (productId, fault) => shop.changeProduct(productId, { fault }),
    setBalance: (amount) => shop.setBalance(amount),
    setLatency(milliseconds) {
      settings.latencyMs = milliseconds;
    },
    refund: (externalOrderId) => shop.refund(externalOrderId),
  };
}

function purchasesOf(shop: Shop): Map<string, SimulatedPurchase> {
  return new Map(
    [...shop.posted].map(([externalOrderId, { order, productId, qty, requests }]) => [
      externalOrderId,
      {
        status: order?.status ?? "none",
        productId: order?.product.productId ?? productId,
        qty: order?.qty ?? qty,
        amountMicrocents: order?.amountMicrocents ?? ZERO,
        unitPriceMicrocents: order?.unitPriceMicrocents ?? ZERO,
        requests,
        deliveredCodes: order === null ? [] : shop.codesOf(order),
      },
    ]),
  );
}

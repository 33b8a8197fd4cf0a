import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Microcents } from "../../server/money/microcents.ts";
import { ZERO } from "../../server/money/microcents.ts";
import { errorAnswer, send } from "./answer.ts";
import { createDelays } from "./delays.ts";
import {
  createFaultSchedule,
  type FaultRule,
  type FaultSchedule,
  type RandomFaults,
} from "./fault-schedule.ts";
import type { FaultInput } from "./faults.ts";
import { startServer } from "./http.ts";
import { type ApiParts, answerOrderingRequest } from "./ordering-api.ts";
import { anySeed } from "./random.ts";
import { BASE_PATH } from "./route.ts";
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

/** What faults can be asked of: the simulator and the faulty proxy. */
export interface Faulty {
  /** Lets the next fitting requests go wrong. @throws {z.ZodError} */
  fault(rule: FaultRule): void;
  /** Gives each of the next purchases its fault, in this order. @throws {z.ZodError} */
  nextPurchases(...faults: readonly FaultInput[]): void;
  /** Lets requests go wrong at random, until null switches it off. @throws {z.ZodError} */
  randomFaults(settings: RandomFaults | null): void;
  /** Forgets all faults that were asked for, but not those that products have. */
  clearFaults(): void;
  /** Stops listening and cuts every connection. */
  down(): Promise<void>;
  /** Listens on the same port again. */
  up(): Promise<void>;
  /** Ends it for good; effects that were still to come do not come any more. */
  close(): Promise<void>;
}

/** A supplier that runs. */
export interface SupplierSimulator extends Faulty {
  /** Its ordering interface, with the base path. */
  readonly url: string;
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
  const server = await startServer(port, (request, response) => answer(parts, request, response));
  return {
    url: server.origin + BASE_PATH,
    apiKey,
    ...faultControls(faults),
    purchases: () => purchasesOf(shop),
    setProduct: (product) => shop.setProduct(product),
    setPrice: (productId, unitPrice) => shop.setPrice(productId, unitPrice),
    setStock: (productId, stock) => shop.setStock(productId, stock),
    setProductFault: (productId, fault) => shop.setFault(productId, fault),
    setBalance: (amount) => shop.setBalance(amount),
    setLatency(milliseconds) {
      settings.latencyMs = milliseconds;
    },
    refund: (externalOrderId) => shop.refund(externalOrderId),
    down: () => server.down(),
    up: () => server.up(),
    async close() {
      delays.cancelAll();
      await server.down();
    },
  };
}

/** The part of a faulty server that asks for faults. */
export function faultControls(
  schedule: FaultSchedule,
): Pick<Faulty, "fault" | "nextPurchases" | "randomFaults" | "clearFaults"> {
  return {
    fault: (rule) => schedule.add(rule),
    nextPurchases(...faults) {
      for (const fault of faults) schedule.add(typeof fault === "string" ? { kind: fault } : fault);
    },
    randomFaults: (settings) => schedule.setRandom(settings),
    clearFaults: () => schedule.clear(),
  };
}

function answer(parts: ApiParts, request: IncomingMessage, response: ServerResponse): void {
  answerOrderingRequest(parts, request, response).catch((error: unknown) => {
    console.error(error);
    send(response, errorAnswer("server_error"));
  });
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

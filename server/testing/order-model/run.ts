import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../../compose.ts";
import type { AccountId, KeyId, OrderId } from "../../ids.ts";
import type { Caller } from "../../keys/api-key.ts";
import { formatDecimalMoney, formatUsd } from "../../money/microcents.ts";
import {
  type SimulatedPurchase,
  type SupplierSimulator,
  startSupplierSimulator,
} from "../../simulators/supplier/supplier-simulator.ts";
import { linesOf, usd } from "../test-shop.ts";
import { addOnDemandProduct } from "../test-supplier.ts";
import {
  balanceOf,
  MAX_COST,
  type ProductKind,
  reservedOf,
  type Sent,
  type ShopModel,
} from "./shop-model.ts";
import type { Testbed } from "./testbed.ts";

const PRICES = { "on-demand": usd("1.00"), stocked: usd("1.50") } as const;
const FIRST_TOP_UP = { reference: "first", amount: usd("12.00") };
const FIRST_COST = "0.50";
const IMPORTED = 9;
// An effect comes with a timer that was set before the one that waits for it.
const EFFECT_MARGIN_MS = 10;

/** One run: a shop with one account, one key and two products, its supplier, and the model of it all. */
export interface Run {
  readonly testbed: Testbed;
  readonly model: ShopModel;
  readonly simulator: SupplierSimulator;
  readonly supplierId: string;
  readonly supplierProductId: string;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly productIds: Readonly<Record<ProductKind, string>>;
  /** What was done so far and what came of it, one line each. */
  readonly history: string[];
  services(): Services;
  caller(): Caller;
  /** Sets how many codes the supplier has; null: endless. */
  setSuppliersStock(codes: number | null): void;
  /** Something may take effect at the supplier that much later. */
  expectEffect(delayMs: number): void;
  /** Waits until everything that was asked of the supplier has taken effect. */
  effectsLanded(): Promise<void>;
  /** How often anything was ordered from the supplier. */
  purchaseRequests(): number;
  close(): Promise<void>;
}

/** Sets up a shop on the testbed: 12.00 on the account, nine imported codes, an endless supplier. */
export async function openRun(testbed: Testbed): Promise<Run> {
  testbed.begin();
  const simulator = await startSupplierSimulator({ port: testbed.supplierPort });
  const services = testbed.services();
  const [account, supplied] = await Promise.all([
    services.accounts.create({ name: "Buyer" }),
    addOnDemandProduct(services, { simulator, price: "1.00", cost: FIRST_COST, maxCost: MAX_COST }),
  ]);
  const { accountId } = account;
  const stockedId = `stocked-${supplied.productId}`;
  const importedCodes = Array.from({ length: IMPORTED }, (_, index) => `OWN-${stockedId}-${index}`);
  const [key] = await Promise.all([
    services.keys.create({ accountId, kind: "product_ordering" }),
    services.ledger.topUp({
      accountId,
      reference: FIRST_TOP_UP.reference,
      amountMicrocents: FIRST_TOP_UP.amount,
    }),
    addStockedProduct(services, stockedId, importedCodes),
  ]);

  let effectsUntilMs = 0;
  let stock: { codes: number; takenBefore: number } | null = null;
  const model: ShopModel = {
    nowMs: () => testbed.clock().clock(),
    supplier: {
      up: true,
      enabled: true,
      cost: FIRST_COST,
      codesLeft: () => stock && stock.codes - (takenFrom(simulator) - stock.takenBefore),
      orderOf: (orderId) => simulator.purchases().get(orderId) ?? null,
      effectsPending: () => effectsUntilMs > performance.now(),
    },
    prices: { ...PRICES },
    importedCodes: new Set(importedCodes),
    caps: { orderCapMicrocents: null, dailyCapMicrocents: null },
    topUps: new Map([[FIRST_TOP_UP.reference, FIRST_TOP_UP.amount]]),
    requestedOrders: [],
    orders: new Map(),
  };
  return {
    testbed,
    model,
    simulator,
    supplierId: supplied.supplierId,
    supplierProductId: supplied.supplierProductId,
    accountId,
    keyId: key.keyId,
    productIds: { "on-demand": supplied.productId, stocked: stockedId },
    history: [],
    services: () => testbed.services(),
    caller: () => ({
      keyId: key.keyId,
      accountId,
      kind: "product_ordering",
      rpmLimit: 60,
      callsInFlightLimit: null,
      lowersMaxTokens: false,
      ...model.caps,
    }),
    setSuppliersStock(codes) {
      simulator.setStock(supplied.supplierProductId, codes);
      stock = codes === null ? null : { codes, takenBefore: takenFrom(simulator) };
    },
    expectEffect(delayMs) {
      effectsUntilMs = Math.max(effectsUntilMs, performance.now() + delayMs + EFFECT_MARGIN_MS);
    },
    async effectsLanded() {
      const leftMs = effectsUntilMs - performance.now();
      if (leftMs > 0) await delay(leftMs);
    },
    purchaseRequests: () =>
      [...simulator.purchases().values()].reduce((sum, { requests }) => sum + requests, 0),
    close: () => simulator.close(),
  };
}

/** A request as the use case takes it. */
export function orderRequest(run: Run, { externalOrderId, kind, qty, expectedUnitPriceMicrocents }: Sent) {
  return {
    caller: run.caller(),
    externalOrderId,
    productId: run.productIds[kind],
    qty,
    expectedUnitPrice:
      expectedUnitPriceMicrocents === null ? null : formatDecimalMoney(expectedUnitPriceMicrocents),
  };
}

/** The orders, the money and the supplier in one line, for the history. */
export function describeState({ model, simulator }: Run): string {
  const { orders, supplier } = model;
  const theirs = simulator.purchases();
  const each = [...orders.values()]
    .toReversed()
    .map(({ externalOrderId, orderId, status, errorCode, leasedUntilMs }) => {
      const there = theirs.get(orderId)?.status;
      const facts = [status, errorCode, leasedUntilMs && "leased", there && `there ${there}`].filter(Boolean);
      return `${externalOrderId} ${facts.join(" ")}`;
    });
  const standing = [
    supplier.up ? [] : "down",
    supplier.enabled ? [] : "disabled",
    `${supplier.codesLeft()} left`,
  ];
  const money = `${formatUsd(balanceOf(model))} - ${formatUsd(reservedOf(model))}`;
  return [new Date(model.nowMs()).toISOString(), money, standing.flat().join(" "), ...each].join(", ");
}

/** What the supplier has sold or is about to sell, by our orders. */
export function suppliersOrders({ simulator }: Run): ReadonlyMap<OrderId, SimulatedPurchase> {
  return simulator.purchases() as Map<OrderId, SimulatedPurchase>;
}

async function addStockedProduct(
  { products, stock }: Services,
  productId: string,
  codes: readonly string[],
): Promise<void> {
  await products.create({ productId, name: productId, redeemUrl: "https://redeem.example/here" });
  const price = PRICES.stocked;
  await products.setPrices(productId, { 1: price, 2: price, 3: price, 4: price, 5: price });
  await stock.import(productId, linesOf(codes));
}

function takenFrom(simulator: SupplierSimulator): number {
  const taken = [...simulator.purchases().values()].filter(
    ({ status }) => status === "delivered" || status === "processing" || status === "refunded",
  );
  return taken.reduce((sum, { qty }) => sum + qty, 0);
}

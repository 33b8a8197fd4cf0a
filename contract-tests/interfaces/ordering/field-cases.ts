import type { Account } from "../../../server/accounts/account.ts";
import type { StockedProduct } from "../../../server/catalog/catalog.ts";
import type { Offer } from "../../../server/catalog/offer.ts";
import type { Product } from "../../../server/catalog/product.ts";
import type { AccountId, KeyId, OrderId } from "../../../server/ids.ts";
import type { Caller } from "../../../server/keys/api-key.ts";
import { microcents } from "../../../server/money/microcents.ts";
import type { OrderPage } from "../../../server/orders/buyer-orders.ts";
import type { Order, OrderWithCodes } from "../../../server/orders/order.ts";
import type { FieldCase, FieldCases } from "../../fields/field-case.ts";

const CALLER: Caller = {
  accountId: "acc_caller" as AccountId,
  keyId: "key_caller" as KeyId,
  kind: "product_ordering",
  rpmLimit: 1_000_000,
  callsInFlightLimit: null,
  lowersMaxTokens: false,
  orderCapMicrocents: null,
  dailyCapMicrocents: null,
};

const ACCOUNT: Account = {
  accountId: "acc_own" as AccountId,
  name: "Own, Ltd",
  status: "active",
  rpmLimit: 77,
  balanceMicrocents: microcents(12_345_678_912n),
  reservedMicrocents: microcents(2_345_678_901n),
  scoreMicrocents: microcents(30_000_000_001n),
  createdAtMs: 1_700_000_001_000,
  callsInFlightLimit: 9,
  lowersMaxTokens: true,
  orderCapCeilingMicrocents: microcents(13n),
  dailyCapCeilingMicrocents: microcents(14n),
};

/** As many USD, in whole cents. */
function usd(cents: number) {
  return microcents(BigInt(cents) * 1_000_000n);
}

const PRODUCT: Product = {
  productId: "own-product",
  slug: "own-slug",
  name: "Own product, 1 month",
  redeemUrl: "https://redeem.example/own",
  stockMode: "inventory",
  supply: null,
  stockCap: 1_500,
  enabled: true,
  prices: { 1: usd(1_501), 2: usd(1_402), 3: usd(1_303), 4: usd(1_204), 5: usd(1_105) },
  createdAtMs: 1_700_000_002_000,
};
const STOCKED: StockedProduct = { product: PRODUCT, remaining: 8 };

const ON_DEMAND: Product = {
  ...PRODUCT,
  stockMode: "on_demand",
  supply: {
    supplierId: "own-supplier",
    supplierProductId: "its-product",
    maxUnitCostMicrocents: usd(999),
  },
};

const OFFER: Offer = {
  product: PRODUCT,
  unitPriceMicrocents: usd(1_250),
  remaining: 7,
  status: "available",
};
const MORE_THAN_SHOWN: Offer = { ...OFFER, remaining: 1_501 };
const AS_MANY_AS_SHOWN: Offer = { ...OFFER, remaining: 1_500 };
const SOLD_OUT: Offer = { ...OFFER, remaining: 0, status: "out_of_stock" };
const SUPPLIED: Offer = { ...OFFER, product: ON_DEMAND, remaining: null, status: "supplier_unavailable" };

const LEVEL = {
  level: 2,
  scoreMicrocents: 30_000_000_001,
  score: "300.00",
  nextLevel: {
    level: 3,
    thresholdMicrocents: 50_000_000_000,
    remainingMicrocents: 19_999_999_999,
    remaining: "200.00",
  },
};
const TOP_SCORE = microcents(1_000_000_000_007n);

const API_PRODUCT = {
  id: "own-product",
  slug: "own-slug",
  name: "Own product, 1 month",
  price: "12.50",
  currency: "USD",
  fulfillmentMode: "automatic",
  inStock: true,
  stockMode: "inventory",
  stock: 7,
  stockCapped: false,
  availabilityStatus: "available",
  deliveryMode: "instant",
};

function productsCase(name: string, offer: Offer, changes: object): FieldCase {
  return {
    operationId: "listProducts",
    name,
    gives: { "accounts.get": ACCOUNT, "products.offers": [offer] },
    asked: { "accounts.get": [CALLER.accountId], "products.offers": [2] },
    answer: { level: LEVEL, products: [{ ...API_PRODUCT, ...changes }] },
  };
}

const ORDER: OrderWithCodes = {
  orderId: "ord_own" as OrderId,
  accountId: "acc_own" as AccountId,
  externalOrderId: "purchase-own",
  keyId: "key_own" as KeyId,
  productId: "own-product",
  productName: "Own product, 1 month",
  qty: 2,
  unitPriceMicrocents: usd(1_250),
  amountMicrocents: usd(2_500),
  status: "delivered",
  redeemUrl: "https://redeem.example/own",
  errorCode: null,
  spendDay: "2031-05-06",
  createdAtMs: 1_800_000_001_999,
  deliveredAtMs: 1_800_000_003_999,
  refundedAtMs: null,
  codes: ["CODE-ONE", "CODE-TWO"],
};
const API_ORDER = {
  orderId: "ord_own",
  externalOrderId: "purchase-own",
  productId: "own-product",
  productName: "Own product, 1 month",
  qty: 2,
  unitPrice: "12.50",
  amount: "25.00",
  currency: "USD",
  status: "delivered",
  codes: ["CODE-ONE", "CODE-TWO"],
  redeemUrl: "https://redeem.example/own",
  errorCode: null,
  createdAt: 1_800_000_001,
  deliveredAt: 1_800_000_003,
  reused: false,
};
const { codes: _, ...WITHOUT_CODES } = ORDER;
const REFUNDED: Order = {
  ...WITHOUT_CODES,
  status: "refunded",
  errorCode: "own_error_code",
  refundedAtMs: 1_800_000_005_999,
};
const PAGE: OrderPage = { orders: [REFUNDED], nextCursor: "own-cursor" };

const CASES: readonly FieldCase[] = [
  {
    operationId: "getPricing",
    gives: { "products.list": [STOCKED] },
    asked: { "products.list": [] },
    answer: {
      levels: [
        { level: 1, threshold: "0.00" },
        { level: 2, threshold: "100.00" },
        { level: 3, threshold: "500.00" },
        { level: 4, threshold: "2000.00" },
        { level: 5, threshold: "10000.00" },
      ],
      products: [
        {
          id: "own-product",
          slug: "own-slug",
          name: "Own product, 1 month",
          currency: "USD",
          levelPrices: {
            level1: "15.01",
            level2: "14.02",
            level3: "13.03",
            level4: "12.04",
            level5: "11.05",
          },
        },
      ],
    },
  },
  productsCase("in stock", OFFER, {}),
  { ...productsCase("as many as are shown", AS_MANY_AS_SHOWN, { stock: 1_500 }), alike: ["1500"] },
  productsCase("more than is shown", MORE_THAN_SHOWN, { stock: 1_500, stockCapped: true }),
  productsCase("sold out", SOLD_OUT, { inStock: false, stock: 0, availabilityStatus: "out_of_stock" }),
  productsCase("of a supplier", SUPPLIED, {
    inStock: false,
    stockMode: "on_demand",
    stock: null,
    availabilityStatus: "supplier_unavailable",
  }),
  {
    operationId: "checkAvailability",
    path: { id: "asked-product" },
    query: "qty=3",
    gives: { "accounts.get": ACCOUNT, "products.offer": OFFER, clock: 1_900_000_001_999 },
    asked: {
      "accounts.get": [CALLER.accountId],
      "products.offer": ["asked-product", 2, 3],
      clock: [],
    },
    answer: {
      productId: "own-product",
      qty: 3,
      available: true,
      unitPrice: "12.50",
      currency: "USD",
      stockMode: "inventory",
      availabilityStatus: "available",
      deliveryMode: "instant",
      checkedAt: 1_900_000_001,
    },
  },
  {
    operationId: "getBalance",
    gives: { "accounts.get": ACCOUNT },
    asked: { "accounts.get": [CALLER.accountId] },
    answer: {
      balance: "123.4567",
      reserved: "23.4568",
      available: "99.9999",
      currency: "USD",
      level: LEVEL,
    },
  },
  {
    operationId: "getBalance",
    name: "of the highest level",
    gives: { "accounts.get": { ...ACCOUNT, scoreMicrocents: TOP_SCORE } },
    asked: { "accounts.get": [CALLER.accountId] },
    answer: {
      balance: "123.4567",
      reserved: "23.4568",
      available: "99.9999",
      currency: "USD",
      level: { level: 5, scoreMicrocents: 1_000_000_000_007, score: "10000.00", nextLevel: null },
    },
  },
  {
    operationId: "createOrder",
    body: { externalOrderId: "asked-id", productId: "asked-product", qty: 4, expectedUnitPrice: "12.51" },
    gives: { "orders.place": { order: ORDER, reused: true } },
    asked: {
      "orders.place": [
        {
          caller: CALLER,
          externalOrderId: "asked-id",
          productId: "asked-product",
          qty: 4,
          expectedUnitPrice: "12.51",
        },
      ],
    },
    answer: { ...API_ORDER, reused: true },
  },
  {
    operationId: "getOrder",
    path: { id: "ord_asked" },
    gives: { "orders.get": ORDER },
    asked: { "orders.get": [CALLER.accountId, "ord_asked"] },
    answer: API_ORDER,
  },
  {
    operationId: "listOrders",
    query: "limit=6&cursor=asked-cursor&externalOrderId=asked-id",
    gives: { "orders.page": PAGE },
    asked: {
      "orders.page": [CALLER.accountId, { limit: 6, cursor: "asked-cursor", externalOrderId: "asked-id" }],
    },
    answer: {
      orders: [{ ...API_ORDER, status: "refunded", errorCode: "own_error_code", codes: [] }],
      hasMore: true,
      nextCursor: "own-cursor",
    },
  },
];

/** What the ordering interface makes of what its use cases give. */
export const fieldCases: FieldCases = { admits: { "keys.authenticate": CALLER }, cases: CASES };

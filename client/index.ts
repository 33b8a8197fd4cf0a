// What buyers import.

export { createFileStore } from "./file-store.ts";
export { createMemoryStore } from "./memory-store.ts";
export {
  type ContentBlock,
  type ContentDelta,
  type MessageEvent,
  MessageStreamError,
} from "./message-events.ts";
export type { MessageStream } from "./message-stream.ts";
export {
  compareUsd,
  formatUsd,
  type Microcents,
  microcents,
  multiplyUsd,
  parseUsd,
  toMicrocents,
  toUsd,
  type Usd,
} from "./money.ts";
export { NoAnswerError, type NoAnswerReason } from "./no-answer-error.ts";
export {
  createOrderingClient,
  type Order,
  type OrderingClient,
  type OrderingClientOptions,
  type OrderingOperations,
  type OrderingResult,
  type OrderQuery,
  type OrderRequest,
} from "./ordering-client.ts";
export {
  type ClosedOrder,
  ERROR_STATUSES,
  type ErrorCode,
  type OrderingError,
  type PriceChange,
} from "./ordering-errors.ts";
export {
  createProxyClient,
  type Message,
  type MessageRequest,
  type Messages,
  type ProxyClient,
  type ProxyClientOptions,
  type ProxyResult,
  type StreamOptions,
} from "./proxy-client.ts";
export type { ProxyError, ProxyErrorType } from "./proxy-errors.ts";
export type {
  Conclusion,
  Delivered,
  PriceChanged,
  PurchaseOutcome,
  PurchaseRequest,
  PurchaseStore,
  RedeemableCode,
  Refused,
  StoredPurchase,
  Unresolved,
} from "./purchase.ts";
export {
  createPurchases,
  PurchaseMismatchError,
  type PurchaseOptions,
  type Purchases,
  type PurchasesOptions,
} from "./purchases.ts";
export type { CallOptions, Result } from "./requester.ts";

import type { UserId } from "../ids.ts";

/** What an action is done to; its id is the one that operators know it by, of a person the e-mail. */
export type TargetKind =
  | "account"
  | "backup"
  | "encryption_key"
  | "key"
  | "model"
  | "order"
  | "product"
  | "segment"
  | "supplier"
  | "user";

/** All that operators do which changes something or shows codes, and what it is done to. */
export const OPERATIONS = {
  createAccount: "account",
  suspendAccount: "account",
  resumeAccount: "account",
  changeAccount: "account",
  topUpAccount: "account",
  adjustBalance: "account",
  rebuildStatistics: "account",
  createKey: "key",
  changeKey: "key",
  setKeyCeilings: "key",
  rotateKey: "key",
  endKeyOverlap: "key",
  revokeKey: "key",
  inviteUser: "user",
  inviteOperator: "user",
  removeOperator: "user",
  removeMember: "user",
  resetUser: "user",
  endUserSessions: "user",
  createProduct: "product",
  setProductPrices: "product",
  setProductSupply: "product",
  setProductRedeemUrl: "product",
  enableProduct: "product",
  disableProduct: "product",
  importCodes: "segment",
  recallSegment: "segment",
  reopenSegment: "segment",
  setSegmentAside: "segment",
  markCodesSold: "segment",
  showCodes: "segment",
  addSupplier: "supplier",
  setSupplierAccess: "supplier",
  enableSupplier: "supplier",
  disableSupplier: "supplier",
  refundOrder: "order",
  resolveOrder: "order",
  giveUpOrder: "order",
  setModel: "model",
  disableModel: "model",
  rotateEncryptionKey: "encryption_key",
  restoreBackup: "backup",
} as const satisfies Record<string, TargetKind>;

export type Operation = keyof typeof OPERATIONS;

/** Who acts: a person who has signed in, or whoever runs the command line, by the name that their machine gives them. */
export type OperatorActor =
  | { readonly kind: "operator"; readonly id: UserId; readonly name: string }
  | { readonly kind: "command_line"; readonly id: null; readonly name: string };

/** An action as its use case tells of it. Nothing in it is a secret or a code. */
export interface NewAction {
  readonly operation: Operation;
  readonly targetId: string;
  /** What it was before; null: nothing of it was. */
  readonly before?: object | null;
  /** What it is now. Of both, only what differs is kept; where nothing does, nothing is recorded. */
  readonly after?: object | null;
  readonly reason?: string | null;
}

/** One action as it is kept. */
export interface Action {
  /** From 1 on, without gaps. */
  readonly sequence: bigint;
  /** Never before the time of the one before. */
  readonly createdAtMs: number;
  readonly actor: {
    /** Perhaps one of a later release, as are operation and kind of target. */
    readonly kind: string;
    readonly id: string | null;
    readonly name: string;
  };
  readonly operation: string;
  readonly targetKind: string;
  readonly targetId: string;
  /** JSON objects of what differs, as texts; null: none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string | null;
  readonly requestId: string;
}

/** Where the chain ends: the last action's number, hash and time. */
export interface ChainEnd {
  readonly sequence: bigint;
  readonly hash: Buffer;
  readonly createdAtMs: number;
}

/** An action with its place in the chain. */
export interface ChainedAction extends Action {
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** The end of a chain without actions. */
export const NO_ACTIONS: ChainEnd = { sequence: 0n, hash: Buffer.alloc(32), createdAtMs: 0 };

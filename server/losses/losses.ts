import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { DomainError, InvalidInputError } from "../errors.ts";
import type { OrderAdministration } from "../orders/order-administration.ts";
import type { Difference } from "../orders/reconcile.ts";
import type { UnfinishedCounts } from "../orders/unfinished-store.ts";
import type { MaybeSoldSegment } from "../stock/set-aside-after-loss.ts";
import type { Stock } from "../stock/stock.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import {
  countLasting,
  type LastingCounts,
  newestMoment,
  type OrderSince,
  stockOrdersSince,
} from "./loss-store.ts";

/** How long before the newest row a loss is taken to begin when nobody knows: clocks differ, and commits take their time. */
const MARGIN_MS = 5 * 60_000;
const MAX_ORDERS = 1_000;
/** The shop buys nothing else meanwhile that this could slow. */
const ORDERS_PER_MINUTE = 30_000;

/** What losses need. */
export interface LossesDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly stock: Pick<Stock, "setAsideAfterLoss" | "previewSetAside">;
  readonly suppliers: Pick<Suppliers, "list">;
  readonly orderAdministration: Pick<OrderAdministration, "reconcile" | "countUnfinished">;
}

/** What an operator knows of a loss. */
export interface LossRequest {
  /** Since when commits may be lost; null: since a while before the newest row. */
  readonly sinceMs: number | null;
  /** As many codes of each segment may have been sold in the lost time at the most; null when nobody knows. */
  readonly atMostPerSegment: number | null;
  /** Changes nothing. */
  readonly dryRun: boolean;
  readonly onProgress?: (progress: LossProgress) => void;
}

/** How far it is. */
export interface LossProgress {
  /** From 0 to 1; null when it cannot be known. */
  readonly share: number | null;
  readonly text: string;
}

/** What a supplier's own list says of the lost time. */
export interface SupplierFinding {
  readonly supplierId: string;
  /** What it delivered and this shop did not, or does not know. */
  readonly missingHere: readonly Difference[];
  /** Why it could not be asked; null when it was. */
  readonly fault: string | null;
}

/** What may be lost, and what was done about it. */
export interface Loss {
  readonly sinceMs: number;
  /** The newest row that the database has; null when it has none. */
  readonly newestMs: number | null;
  readonly segments: readonly MaybeSoldSegment[];
  /** Orders from stock that the database has, placed since: at most 1,000 of them, and how many there are. */
  readonly orders: readonly OrderSince[];
  readonly orderCount: number;
  readonly unfinished: UnfinishedCounts;
  readonly suppliers: readonly SupplierFinding[];
  readonly lasting: LastingCounts;
}

/** What is done when the database has lost commits: a backup was restored, or a replica took over that did not have them. */
export function createLosses(dependencies: LossesDependencies) {
  const { database, stock, orderAdministration } = dependencies;
  return {
    /**
     * Takes everything out of sale that may have been sold since, and finds what is to be reconciled. Safe to run again.
     * @throws {InvalidInputError} the moment is in the future.
     */
    async afterLoss(request: LossRequest): Promise<Loss> {
      const { atMostPerSegment, dryRun, onProgress = () => {} } = request;
      const newestMs = await newestMoment(database);
      const sinceMs = sinceOf(dependencies, request, newestMs);
      const lost = { sinceMs, atMostPerSegment };
      // Before anything else: whatever fails behind it, nothing is sold twice.
      const segments = dryRun
        ? await stock.previewSetAside(lost)
        : await stock.setAsideAfterLoss(lost, (done, of) =>
            onProgress({ share: done / of, text: `${done} of ${of} segments looked at` }),
          );
      const { orders, count } = await stockOrdersSince(database, sinceMs, MAX_ORDERS);
      return {
        sinceMs,
        newestMs,
        segments,
        orders,
        orderCount: count,
        unfinished: await orderAdministration.countUnfinished(),
        suppliers: await askSuppliers(dependencies, sinceMs, onProgress),
        lasting: await countLasting(database),
      };
    },
  };
}

function sinceOf(
  { clock }: Pick<LossesDependencies, "clock">,
  { sinceMs }: Pick<LossRequest, "sinceMs">,
  newestMs: number | null,
): number {
  if (sinceMs === null) return Math.max((newestMs ?? clock()) - MARGIN_MS, 0);
  if (sinceMs > clock()) throw new InvalidInputError("The loss begins in the future.");
  return sinceMs;
}

async function askSuppliers(
  { clock, suppliers, orderAdministration }: LossesDependencies,
  sinceMs: number,
  onProgress: (progress: LossProgress) => void,
): Promise<SupplierFinding[]> {
  const findings: SupplierFinding[] = [];
  for (const { supplierId } of await suppliers.list()) {
    const found = await orderAdministration
      .reconcile({
        supplierId,
        window: { fromMs: sinceMs, toMs: clock() },
        ordersPerMinute: ORDERS_PER_MINUTE,
        onProgress: ({ share, there }) =>
          onProgress({ share, text: `${there} orders of the supplier ${supplierId} compared` }),
      })
      .catch((error: unknown) => {
        if (error instanceof DomainError) return error.message;
        throw error;
      });
    findings.push(
      typeof found === "string"
        ? { supplierId, missingHere: [], fault: found }
        : { supplierId, missingHere: found.differences.filter(isMissingHere), fault: null },
    );
  }
  return findings;
}

function isMissingHere({ kind }: Difference): boolean {
  return kind === "missing_here";
}

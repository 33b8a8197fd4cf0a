import type { PurchaseStore, StoredPurchase } from "./purchase.ts";

/** A store for tests: it forgets everything when the process ends, so a crash can lose or repeat a purchase. */
export function createMemoryStore(): PurchaseStore {
  const purchases = new Map<string, StoredPurchase>();
  const keyOf = (baseUrl: string, externalOrderId: string) => JSON.stringify([baseUrl, externalOrderId]);
  const currentOf = (purchase: StoredPurchase) =>
    purchases.get(keyOf(purchase.baseUrl, purchase.externalOrderId)) ?? purchase;
  const set = (purchase: StoredPurchase) =>
    purchases.set(keyOf(purchase.baseUrl, purchase.externalOrderId), purchase);
  return {
    async begin(purchase) {
      const known = purchases.get(keyOf(purchase.baseUrl, purchase.externalOrderId));
      if (known !== undefined) return { purchase: known, isNew: false };
      set(purchase);
      return { purchase, isNew: true };
    },
    async conclude(purchase, conclusion) {
      const current = currentOf(purchase);
      if (current.conclusion?.kind !== "delivered") set({ ...current, conclusion });
    },
    async reopen(purchase) {
      const current = currentOf(purchase);
      if (current.conclusion === null || current.conclusion.kind === "delivered") return false;
      set({ ...current, conclusion: null });
      return true;
    },
    find: async (baseUrl, externalOrderId) => purchases.get(keyOf(baseUrl, externalOrderId)) ?? null,
    unfinished: async (baseUrl) =>
      [...purchases.values()].filter(
        (purchase) => purchase.baseUrl === baseUrl && purchase.conclusion === null,
      ),
  };
}

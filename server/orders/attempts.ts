import type { OrderRequest } from "./rules.ts";

export type Attempts = ReturnType<typeof createAttempts>;

/** The attempts at orders that this process works on, each known by its own request object. */
export function createAttempts() {
  const underWay = new Map<string, Set<OrderRequest>>();
  return {
    /** Counts an attempt as under way until its work has ended. */
    async during<T>(request: OrderRequest, work: () => Promise<T>): Promise<T> {
      const identity = identityOf(request);
      const ofIdentity = underWay.get(identity) ?? new Set();
      underWay.set(identity, ofIdentity.add(request));
      try {
        return await work();
      } finally {
        ofIdentity.delete(request);
        if (ofIdentity.size === 0) underWay.delete(identity);
      }
    },

    /** Whether an attempt at the same order began before this one and has not ended. */
    hasEarlier(request: OrderRequest): boolean {
      const [earliest] = underWay.get(identityOf(request)) ?? [];
      return earliest !== undefined && earliest !== request;
    },
  };
}

function identityOf({ caller: { accountId }, externalOrderId }: OrderRequest): string {
  return `${accountId}\0${externalOrderId}`;
}

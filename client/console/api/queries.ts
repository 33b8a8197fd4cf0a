import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { operations } from "../../../generated/account/types.ts";
import { ask, client } from "./client.ts";

/** What a list operation may be asked with in its query string. */
export type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;

// What is read, by operationId. Every query's key begins with that id, so that what a change has touched is named by it.

export const getOverview = (accountId: string) =>
  queryOptions({
    queryKey: ["getOverview", accountId],
    queryFn: ({ signal }) =>
      ask(() => client.GET("/accounts/{accountId}", { params: { path: { accountId } }, signal })),
  });

export const listKeys = (accountId: string) =>
  queryOptions({
    queryKey: ["listKeys", accountId],
    queryFn: ({ signal }) =>
      ask(() => client.GET("/accounts/{accountId}/keys", { params: { path: { accountId } }, signal })),
  });

export const getKey = (accountId: string, keyId: string) =>
  queryOptions({
    queryKey: ["getKey", accountId, keyId],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/keys/{keyId}", { params: { path: { accountId, keyId } }, signal }),
      ),
  });

export const getSecurity = queryOptions({
  queryKey: ["getSecurity"],
  queryFn: ({ signal }) => ask(() => client.GET("/security", { signal })),
});

export const listPasskeys = queryOptions({
  queryKey: ["listPasskeys"],
  queryFn: ({ signal }) => ask(() => client.GET("/security/passkeys", { signal })),
});

export const listSessions = queryOptions({
  queryKey: ["listSessions"],
  queryFn: ({ signal }) => ask(() => client.GET("/security/sessions", { signal })),
});

export const listOrders = (accountId: string, query: QueryOf<"listOrders">) =>
  queryOptions({
    queryKey: ["listOrders", accountId, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/orders", { params: { path: { accountId }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  });

export const getOrder = (accountId: string, orderId: string) =>
  queryOptions({
    queryKey: ["getOrder", accountId, orderId],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/orders/{orderId}", {
          params: { path: { accountId, orderId } },
          signal,
        }),
      ),
  });

export const listLedger = (accountId: string, query: QueryOf<"listLedger">) =>
  queryOptions({
    queryKey: ["listLedger", accountId, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/ledger", { params: { path: { accountId }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  });

export const getStatement = (accountId: string, month: string, query: QueryOf<"getStatement">) =>
  queryOptions({
    queryKey: ["getStatement", accountId, month, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/statements/{month}", {
          params: { path: { accountId, month }, query },
          signal,
        }),
      ),
  });

export const listMembers = (accountId: string) =>
  queryOptions({
    queryKey: ["listMembers", accountId],
    queryFn: ({ signal }) =>
      ask(() => client.GET("/accounts/{accountId}/members", { params: { path: { accountId } }, signal })),
  });

export const getSettings = (accountId: string) =>
  queryOptions({
    queryKey: ["getSettings", accountId],
    queryFn: ({ signal }) =>
      ask(() => client.GET("/accounts/{accountId}/settings", { params: { path: { accountId } }, signal })),
  });

export const getCallStatistics = (accountId: string, query: QueryOf<"getCallStatistics">) =>
  queryOptions({
    queryKey: ["getCallStatistics", accountId, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/statistics/calls", {
          params: { path: { accountId }, query },
          signal,
        }),
      ),
  });

export const listActivity = (accountId: string, query: QueryOf<"listActivity">) =>
  queryOptions({
    queryKey: ["listActivity", accountId, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/activity", { params: { path: { accountId }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  });

export const getSpendStatistics = (accountId: string, query: QueryOf<"getSpendStatistics">) =>
  queryOptions({
    queryKey: ["getSpendStatistics", accountId, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/statistics/spend", {
          params: { path: { accountId }, query },
          signal,
        }),
      ),
  });

export const getOrderStatistics = (accountId: string, query: QueryOf<"getOrderStatistics">) =>
  queryOptions({
    queryKey: ["getOrderStatistics", accountId, query],
    queryFn: ({ signal }) =>
      ask(() =>
        client.GET("/accounts/{accountId}/statistics/orders", {
          params: { path: { accountId }, query },
          signal,
        }),
      ),
  });

import { createOrderingClient } from "../../client/ordering-client.ts";
import type { Database } from "../database/database.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { decryptApiKey } from "./api-key-cipher.ts";
import { SupplierNotConfiguredError } from "./errors.ts";
import { createLookBudget } from "./look-budget.ts";
import { createOrderingAdapter, type SupplierTimeouts } from "./ordering-adapter.ts";
import { createQuotes, type Quotes } from "./quotes.ts";
import { sendRequest } from "./send-request.ts";
import type { Supplier, SupplierAdapter } from "./supplier.ts";
import { findSupplier, type StoredSupplier } from "./supplier-store.ts";
import { type BreakerSettings, type BreakerState, createTransport, type Transport } from "./transport.ts";

// A change of a supplier must be felt everywhere within a second.
const MEMORY = { max: 1_000, ttlMs: 500, errorTtlMs: 500 };
const BREAKER: BreakerSettings = { consecutiveFailures: 20, halfOpenAfterMs: 2_000 };

/** What connecting to suppliers needs. */
export interface SupplierConnectionsDependencies {
  readonly database: Database;
  readonly cipher: Pick<Cipher, "decrypt">;
  readonly timeouts: SupplierTimeouts;
  /** How often each supplier is asked in a minute for buyers who only look. */
  readonly looksPerMinute: number;
}

/** A supplier and the way to talk to it. */
export interface Connected {
  readonly supplier: Supplier;
  readonly adapter: SupplierAdapter;
}

interface Connection extends Connected {
  readonly stored: StoredSupplier;
  readonly transport: Transport;
  readonly quotes: Quotes;
}

export type SupplierConnections = ReturnType<typeof createSupplierConnections>;

/** This process's connections to suppliers: one to each, as long as its address and API key are the same. */
export function createSupplierConnections({
  database,
  cipher,
  timeouts,
  looksPerMinute,
}: SupplierConnectionsDependencies) {
  const connections = new Map<string, Connection>();
  const recent = createAnswerCache<Connection>(MEMORY);

  /** The connection that is there as long as address and key are the same, and with it what its breaker knows. */
  function connectionTo(stored: StoredSupplier): Connection {
    const known = connections.get(stored.supplierId);
    const { apiKeyCiphertext, ...supplier } = stored;
    const same =
      known?.stored.baseUrl === stored.baseUrl && known.stored.apiKeyCiphertext.equals(apiKeyCiphertext);
    const connection = same
      ? { ...known, supplier, stored }
      : { supplier, stored, ...connect(stored, apiKeyOf(cipher, stored), timeouts, looksPerMinute) };
    connections.set(stored.supplierId, connection);
    return connection;
  }

  return {
    /** @throws {SupplierNotConfiguredError} there is none of this id, or its API key cannot be read. */
    to: (supplierId: string): Promise<Connection> =>
      recent.get(supplierId, async () => {
        const stored = await findSupplier(database, supplierId);
        if (stored === null) throw new SupplierNotConfiguredError();
        return connectionTo(stored);
      }),

    /** The supplier has changed: it is read afresh when it is next asked for. */
    forget: (supplierId: string): void => recent.forget(supplierId),

    /** How well each supplier answers that was asked since this process began. */
    breakerStates: (): { supplierId: string; state: BreakerState }[] =>
      [...connections.values()].map(({ supplier: { supplierId }, transport }) => ({
        supplierId,
        state: transport.breakerState(),
      })),
  };
}

function connect(
  { baseUrl }: StoredSupplier,
  apiKey: string,
  timeouts: SupplierTimeouts,
  looksPerMinute: number,
): Pick<Connection, "transport" | "adapter" | "quotes"> {
  const client = createOrderingClient({ baseUrl, apiKey, send: sendRequest });
  const looks = createLookBudget(looksPerMinute);
  const transport = createTransport(BREAKER, looks.rest);
  const adapter = createOrderingAdapter({ client, transport, timeouts });
  return { transport, adapter, quotes: createQuotes(adapter, looks) };
}

function apiKeyOf(cipher: Pick<Cipher, "decrypt">, stored: StoredSupplier): string {
  try {
    return decryptApiKey(cipher, stored);
  } catch {
    throw new SupplierNotConfiguredError();
  }
}

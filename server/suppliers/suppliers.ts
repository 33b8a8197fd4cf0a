import { createOrderingClient } from "../../client/ordering-client.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { WrongEncryptionKeysError } from "../stock/errors.ts";
import { SupplierNotConfiguredError } from "./errors.ts";
import { createOrderingAdapter, type SupplierTimeouts } from "./ordering-adapter.ts";
import { createQuotes, type Quotes } from "./quotes.ts";
import { sendRequest } from "./send-request.ts";
import { shareAnswers } from "./shared-answers.ts";
import type { Quote, Supplier, SupplierAdapter, SupplierStatus } from "./supplier.ts";
import {
  findSupplier,
  insertSupplier,
  listSuppliers,
  type StoredSupplier,
  updateSupplier,
} from "./supplier-store.ts";
import { type BreakerSettings, type BreakerState, createTransport, type Transport } from "./transport.ts";

// A change of a supplier must be felt everywhere within a second.
const MEMORY = { max: 1_000, ttlMs: 500, faultTtlMs: 500 };
const BREAKER: BreakerSettings = { consecutiveFailures: 20, halfOpenAfterMs: 2_000 };
const MAX_URL_LENGTH = 2_000;

export type Suppliers = ReturnType<typeof createSuppliers>;

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

interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Pick<Cipher, "encrypt" | "decrypt">;
  readonly timeouts: SupplierTimeouts;
}

/** Who codes are bought from: kept by the operator, asked by catalog and orders. */
export function createSuppliers({ database, clock, cipher, timeouts }: Options) {
  const connections = new Map<string, Connection>();
  const recent = shareAnswers<Connection>(MEMORY);

  function connection(supplierId: string): Promise<Connection> {
    return recent.get(supplierId, async () => {
      const stored = await findSupplier(database, supplierId);
      if (stored === null) throw new SupplierNotConfiguredError();
      return connectionTo(stored);
    });
  }

  /** Throws as `adapterOf` does, and also when the supplier is disabled. */
  async function quotesOf(supplierId: string): Promise<Quotes> {
    const { supplier, quotes } = await connection(supplierId);
    if (supplier.status === "disabled") throw new SupplierNotConfiguredError();
    return quotes;
  }

  /** The connection that is there as long as address and key are the same, and with it what its breaker knows. */
  function connectionTo(stored: StoredSupplier): Connection {
    const known = connections.get(stored.supplierId);
    const { apiKeyCiphertext, ...supplier } = stored;
    const same =
      known?.stored.baseUrl === stored.baseUrl && known.stored.apiKeyCiphertext.equals(apiKeyCiphertext);
    const connection = same ? { ...known, supplier, stored } : connect(stored, supplier);
    connections.set(stored.supplierId, connection);
    return connection;
  }

  function connect(stored: StoredSupplier, supplier: Supplier): Connection {
    const client = createOrderingClient({
      baseUrl: stored.baseUrl,
      apiKey: apiKeyOf(stored),
      send: sendRequest,
    });
    const transport = createTransport(BREAKER);
    const adapter = createOrderingAdapter({ client, transport, timeouts });
    return { supplier, stored, transport, adapter, quotes: createQuotes(adapter) };
  }

  function apiKeyOf({ supplierId, apiKeyCiphertext }: StoredSupplier): string {
    try {
      return cipher.decrypt(apiKeyCiphertext, keyContext(supplierId)).toString();
    } catch {
      throw new SupplierNotConfiguredError();
    }
  }

  async function get(supplierId: string): Promise<Supplier> {
    const stored = await findSupplier(database, supplierId);
    if (stored === null) throw new NotFoundError("supplier", supplierId);
    const { apiKeyCiphertext: _, ...supplier } = stored;
    return supplier;
  }

  async function change(
    supplierId: string,
    changes: Parameters<typeof updateSupplier>[2],
  ): Promise<Supplier> {
    if (!(await updateSupplier(database, supplierId, changes)))
      throw new NotFoundError("supplier", supplierId);
    recent.forget(supplierId);
    return get(supplierId);
  }

  async function setAccess(
    supplierId: string,
    { baseUrl, apiKey }: { baseUrl?: string; apiKey?: string },
  ): Promise<Supplier> {
    if (apiKey !== undefined) checkApiKey(apiKey);
    return change(supplierId, {
      ...(baseUrl === undefined ? {} : { baseUrl: normalizedUrl(baseUrl) }),
      ...(apiKey === undefined ? {} : { apiKeyCiphertext: cipher.encrypt(apiKey, keyContext(supplierId)) }),
    });
  }

  return {
    /** @throws {InvalidInputError} @throws {ConflictError} the id is taken. */
    async add(request: { supplierId: string; baseUrl: string; apiKey: string }): Promise<Supplier> {
      checkSupplierId(request.supplierId);
      checkApiKey(request.apiKey);
      const { supplierId } = request;
      const supplier: Supplier = {
        supplierId,
        baseUrl: normalizedUrl(request.baseUrl),
        status: "active",
        createdAtMs: clock(),
      };
      const apiKeyCiphertext = cipher.encrypt(request.apiKey, keyContext(supplierId));
      await insertSupplier(database, { ...supplier, apiKeyCiphertext }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        throw new ConflictError(`There is a supplier ${supplierId} already.`, { supplierId });
      });
      recent.forget(supplierId);
      return supplier;
    },

    /** All suppliers, by id. */
    async list(): Promise<Supplier[]> {
      return (await listSuppliers(database)).map(({ apiKeyCiphertext: _, ...supplier }) => supplier);
    },

    /** @throws {NotFoundError} */
    get,

    /** Felt everywhere within a second. @throws {NotFoundError} */
    setStatus: (supplierId: string, status: SupplierStatus): Promise<Supplier> =>
      change(supplierId, { status }),

    /**
     * Changes what is given, all at once: a new key is never sent to the old address, nor the old one to the new.
     * @throws {NotFoundError} @throws {InvalidInputError}
     */
    setAccess,

    /**
     * A supplier and the way to talk to it, also when it is disabled.
     * @throws {SupplierNotConfiguredError} there is none of this id, or its API key cannot be read.
     */
    adapterOf: (supplierId: string): Promise<Connected> => connection(supplierId),

    /**
     * What the supplier asks for one code when `qty` are bought, and whether it has them; at most five seconds old.
     * @param fresh asks now, whatever was said some seconds ago.
     * @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError} also when it is disabled.
     */
    async quote(
      supplierId: string,
      supplierProductId: string,
      qty: number,
      { fresh }: { fresh: boolean },
    ): Promise<Quote> {
      return (await quotesOf(supplierId)).quote(supplierProductId, qty, { fresh });
    },

    /** The same for one code of everything that the supplier sells. Throws as `quote` does. */
    async catalog(supplierId: string): Promise<ReadonlyMap<string, Quote>> {
      return (await quotesOf(supplierId)).catalog();
    },

    /** How well each supplier answers that was asked since this process began. */
    breakerStates: (): { supplierId: string; state: BreakerState }[] =>
      [...connections.values()].map(({ supplier: { supplierId }, transport }) => ({
        supplierId,
        state: transport.breakerState(),
      })),

    /** Opens every supplier's API key. @throws {WrongEncryptionKeysError} */
    async checkEncryptionKeys(): Promise<void> {
      for (const { supplierId, apiKeyCiphertext } of await listSuppliers(database)) {
        try {
          cipher.decrypt(apiKeyCiphertext, keyContext(supplierId));
        } catch {
          throw new WrongEncryptionKeysError();
        }
      }
    },
  };
}

/** What binds an encrypted API key to its supplier. */
function keyContext(supplierId: string): string {
  return `supplier-key\0${supplierId}`;
}

function checkSupplierId(supplierId: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(supplierId)) return;
  throw new InvalidInputError(
    "A supplier's id has 1 to 64 lower-case letters, digits and dashes, the first a letter or digit.",
  );
}

function checkApiKey(apiKey: string): void {
  if (/^[!-~]{1,512}$/.test(apiKey)) return;
  throw new InvalidInputError("A supplier's API key has 1 to 512 ASCII characters without spaces.");
}

/** @throws {InvalidInputError} it is no absolute http or https URL without a query, or too long. */
function normalizedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain =
    url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!plain || !/^https?:$/.test(url.protocol) || text.length > MAX_URL_LENGTH) {
    throw new InvalidInputError(
      "A supplier's base URL is an absolute http or https URL with its base path, such as https://codes.example/shop/v1.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

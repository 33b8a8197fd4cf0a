import { createHash } from "node:crypto";
import type { Operation } from "../actions/action.ts";
import { recordAction, recordedChange } from "../actions/record-action.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { transaction } from "../database/transaction.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import { isReadableOnTheWay } from "../plain-http.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { WrongEncryptionKeysError } from "../stock/errors.ts";
import { decryptApiKey, encryptApiKey } from "./api-key-cipher.ts";
import type { Supplier, SupplierStatus } from "./supplier.ts";
import type { SupplierConnections } from "./supplier-connections.ts";
import {
  findSupplier,
  insertSupplier,
  listSuppliers,
  lockSupplier,
  type StoredSupplier,
  updateSupplier,
} from "./supplier-store.ts";

const MAX_URL_LENGTH = 2_000;

/** What keeping suppliers needs. */
export interface SupplierRecordsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Pick<Cipher, "encrypt" | "decrypt">;
  /** Told of every change. */
  readonly connections: Pick<SupplierConnections, "forget">;
}

/** A supplier that is to be added. */
export interface NewSupplier {
  readonly supplierId: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Whether the base URL may be http at another machine, where key and codes can be read on the way; no when not given. */
  readonly allowsHttp?: boolean | undefined;
}

/** The suppliers as the operator keeps them. */
export function createSupplierRecords(dependencies: SupplierRecordsDependencies) {
  const { database, cipher } = dependencies;
  return {
    /** @throws {InvalidInputError} @throws {ConflictError} the id is taken. */
    add: (request: NewSupplier): Promise<Supplier> => add(dependencies, request),

    /** All suppliers, by id. */
    async list(): Promise<Supplier[]> {
      return (await listSuppliers(database)).map(withoutApiKey);
    },

    /** @throws {NotFoundError} */
    get: (supplierId: string): Promise<Supplier> => get(dependencies, supplierId),

    /** Felt everywhere within a second. @throws {NotFoundError} */
    setStatus: (supplierId: string, status: SupplierStatus): Promise<Supplier> =>
      change(dependencies, supplierId, status === "active" ? "enableSupplier" : "disableSupplier", {
        status,
      }),

    /**
     * Changes what is given, all at once: a new key is never sent to the old address, nor the old one to the new.
     * @throws {NotFoundError} @throws {InvalidInputError}
     */
    async setAccess(
      supplierId: string,
      { baseUrl, apiKey, allowsHttp }: Partial<Omit<NewSupplier, "supplierId">>,
    ): Promise<Supplier> {
      if (apiKey !== undefined) checkApiKey(apiKey);
      return change(dependencies, supplierId, "setSupplierAccess", {
        ...(baseUrl === undefined ? {} : { baseUrl: normalizedUrl(baseUrl, allowsHttp) }),
        ...(apiKey === undefined ? {} : { apiKeyCiphertext: encryptApiKey(cipher, supplierId, apiKey) }),
      });
    },

    /** Opens every supplier's API key. @throws {WrongEncryptionKeysError} */
    async checkEncryptionKeys(): Promise<void> {
      for (const supplier of await listSuppliers(database)) {
        try {
          decryptApiKey(cipher, supplier);
        } catch {
          throw new WrongEncryptionKeysError();
        }
      }
    },
  };
}

async function add(
  { database, clock, cipher, connections }: SupplierRecordsDependencies,
  { supplierId, baseUrl, apiKey, allowsHttp }: NewSupplier,
): Promise<Supplier> {
  checkSupplierId(supplierId);
  checkApiKey(apiKey);
  const supplier: Supplier = {
    supplierId,
    baseUrl: normalizedUrl(baseUrl, allowsHttp),
    status: "active",
    createdAtMs: clock(),
  };
  const apiKeyCiphertext = encryptApiKey(cipher, supplierId, apiKey);
  await transaction(database, async (tx) => {
    await insertSupplier(tx, { ...supplier, apiKeyCiphertext });
    await recordAction(tx, { operation: "addSupplier", targetId: supplierId, after: supplier });
  }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    throw new ConflictError(`There is a supplier ${supplierId} already.`, { supplierId });
  });
  connections.forget(supplierId);
  return supplier;
}

async function get({ database }: SupplierRecordsDependencies, supplierId: string): Promise<Supplier> {
  const stored = await findSupplier(database, supplierId);
  if (stored === null) throw new NotFoundError("supplier", supplierId);
  return withoutApiKey(stored);
}

async function change(
  dependencies: SupplierRecordsDependencies,
  supplierId: string,
  operation: Operation,
  changes: Parameters<typeof updateSupplier>[2],
): Promise<Supplier> {
  const { database, connections } = dependencies;
  const isFound = await transaction(database, (tx) =>
    recordedChange(
      tx,
      { operation, targetId: supplierId },
      {
        read: async () => recorded(await lockSupplier(tx, supplierId)),
        change: () => updateSupplier(tx, supplierId, changes),
      },
    ),
  );
  if (!isFound) throw new NotFoundError("supplier", supplierId);
  connections.forget(supplierId);
  return get(dependencies, supplierId);
}

/** A supplier as its actions are recorded: of our key there, only that it is another than before. */
function recorded(stored: StoredSupplier | null): object | null {
  if (stored === null) return null;
  const digest = createHash("sha256").update(stored.apiKeyCiphertext).digest("hex");
  return { ...withoutApiKey(stored), apiKeyCiphertextSha256: digest };
}

function withoutApiKey({ apiKeyCiphertext: _, ...supplier }: StoredSupplier): Supplier {
  return supplier;
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

/** @throws {InvalidInputError} it is no absolute https URL without a query, too long, or http where that is not allowed. */
function normalizedUrl(text: string, allowsHttp = false): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain =
    url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!plain || !/^https?:$/.test(url.protocol) || text.length > MAX_URL_LENGTH) {
    throw new InvalidInputError(
      "A supplier's base URL is an absolute http or https URL with its base path, such as https://codes.example/shop/v1.",
    );
  }
  if (!allowsHttp && isReadableOnTheWay(text)) {
    throw new InvalidInputError(
      "The base URL must begin with https://, or our key and the codes could be read on the way. In a network of your own, allow http:// with --allow-http.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

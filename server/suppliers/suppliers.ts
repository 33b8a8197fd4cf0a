import { SupplierNotConfiguredError } from "./errors.ts";
import type { QuoteOptions, Quotes } from "./quotes.ts";
import type { Quote } from "./supplier.ts";
import {
  type Connected,
  createSupplierConnections,
  type SupplierConnectionsDependencies,
} from "./supplier-connections.ts";
import { createSupplierRecords, type SupplierRecordsDependencies } from "./supplier-records.ts";

/** What suppliers need. */
export type SuppliersDependencies = SupplierConnectionsDependencies &
  Omit<SupplierRecordsDependencies, "connections">;

export type Suppliers = ReturnType<typeof createSuppliers>;

/** The suppliers that codes are bought from: kept by the operator, asked by catalog and orders. */
export function createSuppliers(dependencies: SuppliersDependencies) {
  const connections = createSupplierConnections(dependencies);

  /** Throws as `adapterOf` does, and also when the supplier is disabled. */
  async function quotesOf(supplierId: string): Promise<Quotes> {
    const { supplier, quotes } = await connections.to(supplierId);
    if (supplier.status === "disabled") throw new SupplierNotConfiguredError();
    return quotes;
  }

  return {
    ...createSupplierRecords({ ...dependencies, connections }),

    /**
     * A supplier and the way to talk to it, also when it is disabled.
     * @throws {SupplierNotConfiguredError} there is none of this id, or its API key cannot be read.
     */
    adapterOf: (supplierId: string): Promise<Connected> => connections.to(supplierId),

    /**
     * What the supplier asks for one code when `qty` are bought, and whether it has them; at most five seconds old, a look
     * at most a minute when the supplier has been looked at as often as it may.
     * @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError} also when it is disabled.
     */
    async quote(
      supplierId: string,
      supplierProductId: string,
      qty: number,
      options: QuoteOptions,
    ): Promise<Quote> {
      return (await quotesOf(supplierId)).quote(supplierProductId, qty, options);
    },

    /** The same for one code of everything that the supplier sells. Throws as `quote` does. */
    async catalog(supplierId: string): Promise<ReadonlyMap<string, Quote>> {
      return (await quotesOf(supplierId)).catalog();
    },

    breakerStates: connections.breakerStates,
  };
}

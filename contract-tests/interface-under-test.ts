import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LiveShop } from "./dredd/live-shop.ts";
import type { Requests } from "./dredd/requests.ts";
import type { FieldCases } from "./fields/field-case.ts";
import { type FuzzedInterface, NOTHING_SPECIAL } from "./fuzz/fuzzed-interface.ts";
import type { RawTarget } from "./fuzz/raw-target.ts";
import type { PlantedEdit } from "./planted-edit.ts";

/** What the contract tests need to know of one interface beyond its document. */
export interface InterfaceUnderTest {
  /** Fills a shop, and says which requests lead to which answers beyond those that the document's examples make up. */
  dreddRequests(shop: LiveShop): Promise<Requests>;
  /** What requests made from the document find in the shop, and how it has to answer them. */
  readonly fuzz: FuzzedInterface;
  /** Requests with what use cases give for them and what must come of it, for every operation that a converter answers. */
  readonly fieldCases: FieldCases;
  /** What is sent on a socket; null makes it up from an operation that reads and takes no input. */
  readonly raw: RawTarget | null;
  /** An edit of the document that must not compile until the code follows; null when there is none. */
  readonly plantedEdit: PlantedEdit | null;
  /** What requests may say and the service does not use, such as `listModels query beta`, and why. */
  readonly ignoredInputs: Readonly<Record<string, string>>;
}

/** What `interfaces/<name>/interface-under-test.ts` exports by default: what is special of the interface, and no more. */
export type Particulars = Partial<Omit<InterfaceUnderTest, "fuzz">> & {
  readonly fuzz?: Partial<FuzzedInterface>;
};

/** Loads what is known of an interface; one without a file of its own has nothing special. */
export async function interfaceUnderTest(name: string): Promise<InterfaceUnderTest> {
  const file = join(import.meta.dirname, "interfaces", name, "interface-under-test.ts");
  const { fuzz, ...particulars }: Particulars = existsSync(file) ? (await import(file)).default : {};
  return {
    dreddRequests: async ({ keys }) => ({ credential: keys.general, exhausted: keys.limited }),
    fieldCases: { admits: {}, cases: [] },
    raw: null,
    plantedEdit: null,
    ignoredInputs: {},
    ...particulars,
    fuzz: { ...NOTHING_SPECIAL, ...fuzz },
  };
}

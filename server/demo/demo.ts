import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "../accounts/account.ts";
import type { Services } from "../compose.ts";
import type { KeyKind } from "../keys/api-key.ts";
import { ImportRunningError } from "../stock/import.ts";
import { ensureDemoModels } from "./demo-models.ts";
import { type DemoPerson, ensureDemoPerson } from "./demo-person.ts";
import { inMicrocents, pricesInCents } from "./demo-prices.ts";
import { onDemandProductId, startDemoSupplier } from "./demo-supplier.ts";

/** What a person needs to buy from the demo shop. */
export interface DemoShop {
  readonly account: Account;
  /** Who signs in for the account. */
  readonly person: DemoPerson;
  /** The keys that were made now; they cannot be shown again. */
  readonly newKeys: readonly { readonly kind: KeyKind; readonly key: string }[];
  readonly productId: string;
  /** Its codes are bought when they are ordered, from the demo supplier. */
  readonly onDemandProductId: string;
  /** A model that the general key may call. */
  readonly modelId: string;
}

/** A demo shop with its supplier, which runs until it is closed. */
export interface OpenDemoShop extends DemoShop {
  close(): Promise<void>;
}

type UseCases = Pick<
  Services,
  "accounts" | "keys" | "ledger" | "models" | "people" | "products" | "stock" | "suppliers"
>;

const accountName = "Demo Buyer";
const kinds: readonly KeyKind[] = ["general", "product_ordering"];
const codesPerProduct = 300;
const balanceCents = 10_000;

/** Prices in cents from level 1 to level 5. */
const demoProducts = [
  { productId: "demo-ai-month", name: "AI Assistant, 1 month", cents: [2000, 1950, 1900, 1850, 1800] },
  { productId: "demo-ai-year", name: "AI Assistant, 1 year", cents: [20000, 19400, 18800, 18200, 17600] },
  { productId: "demo-ai-credit", name: "AI credit, 5 USD", cents: [500, 495, 490, 485, 480] },
] as const;

type DemoProduct = (typeof demoProducts)[number];

/** Whether this is a demo shop, or an empty one that may become one; otherwise it is an operator's own. */
export async function isDemoShop({ accounts }: Pick<Services, "accounts">): Promise<boolean> {
  const [oldest] = await accounts.list();
  return oldest === undefined || oldest.name === accountName;
}

/**
 * Fills an empty shop with an account, its owner, keys, products, codes and models, and completes one that was cut short: every
 * step first looks whether it was done. Starts the supplier of its on-demand product.
 * @param isSimulated whether calls to models are answered by the upstream simulator
 * @returns the demo shop, or undefined where this is an operator's own shop
 */
export async function openDemoShop(
  services: UseCases,
  { isSimulated }: { isSimulated: boolean },
): Promise<OpenDemoShop | undefined> {
  if (!(await isDemoShop(services))) return undefined;
  const supplier = await startDemoSupplier(services);
  try {
    const modelId = await ensureDemoModels(services, isSimulated);
    const shop = await ensureAccountAndStock(services);
    const person = await ensureDemoPerson(services, shop.account.accountId);
    return { ...shop, person, modelId, close: () => supplier.close() };
  } catch (error) {
    await supplier.close();
    throw error;
  }
}

async function ensureAccountAndStock(services: UseCases): Promise<Omit<DemoShop, "modelId" | "person">> {
  const [oldest] = await services.accounts.list();
  const keys = oldest ? await services.keys.list(oldest.accountId) : [];
  // The keys come last: where all of them are there, everything is.
  const missingKinds = kinds.filter((kind) => !keys.some((key) => key.kind === kind));
  const products = { productId: demoProducts[0].productId, onDemandProductId };
  if (oldest && missingKinds.length === 0) return { account: oldest, newKeys: [], ...products };

  for (const product of demoProducts) await ensureProduct(services, product);
  const account = oldest ?? (await services.accounts.create({ name: accountName }));
  const { accountId } = account;
  await services.ledger.topUp({ accountId, amountMicrocents: inMicrocents(balanceCents), reference: "demo" });
  const newKeys = [];
  for (const kind of missingKinds) newKeys.push(await services.keys.create({ accountId, kind }));
  return { account, newKeys, ...products };
}

async function ensureProduct(services: UseCases, { productId, name, cents }: DemoProduct): Promise<void> {
  const catalog = await services.products.list();
  if (!catalog.some(({ product }) => product.productId === productId)) {
    await services.products.create({ productId, name, redeemUrl: `https://redeem.example/${productId}` });
  }
  await services.products.setPrices(productId, pricesInCents(cents));
  const segments = await services.stock.list(productId);
  if (!segments.some(({ state }) => state !== "importing")) await importDemoCodes(services, productId);
}

/** Imports random codes; one that was cut short by a killed process is taken over when its time is up. */
async function importDemoCodes(services: UseCases, productId: string): Promise<void> {
  for (;;) {
    try {
      await services.stock.import(productId, randomCodes());
      return;
    } catch (error) {
      if (!(error instanceof ImportRunningError)) throw error;
      await sleep(error.retryAfterMs);
    }
  }
}

async function* randomCodes(): AsyncGenerator<string> {
  for (let made = 0; made < codesPerProduct; made += 1) {
    const groups = randomBytes(8).toString("hex").toUpperCase().match(/.{4}/g) ?? [];
    yield `DEMO-${groups.join("-")}`;
  }
}

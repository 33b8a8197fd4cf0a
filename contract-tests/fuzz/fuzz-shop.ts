import type { Clock } from "../../server/clock.ts";
import { startSupplierSimulator } from "../../server/simulators/supplier/supplier-simulator.ts";
import { startTestAiProxy, type TestAiProxy } from "../../server/testing/test-ai-proxy.ts";
import { type Answer, INTERFACES } from "../contract.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import { keyName } from "./callers.ts";
import { openSender, type Sender, type ShopNames } from "./request.ts";

/** A running shop with everything that requests made from the documents name. */
export interface FuzzShop extends TestAiProxy {
  readonly names: ShopNames;
  readonly sender: Sender;
  /** What the service logged of an unexpected error that it answered so. */
  loggedOf(answer: Answer): string[];
}

const BALANCE = "1000000";

/** Starts a shop for so many requests of all kinds, with an upstream and a supplier, and fills it for each interface. */
export async function startFuzzShop(requests: number, clock: Clock = Date.now): Promise<FuzzShop> {
  const supplier = await startSupplierSimulator();
  const shop = await startTestAiProxy({}, clock);
  const apiKeys = await addKeys(shop);
  const names = { ...apiKeys };
  for (const name of INTERFACES) {
    const { fuzz } = await interfaceUnderTest(name);
    Object.assign(names, await fuzz.prepare({ ...shop, supplier, apiKeys, requests }));
  }
  const sender = openSender(shop.proxyUrl, names);
  return {
    ...shop,
    names,
    sender,
    loggedOf({ headers }) {
      const requestId = headers["x-request-id"];
      const isOfError = (line: string) => /"err"|"fault"/.test(line);
      return requestId === undefined
        ? []
        : shop
            .log()
            .split("\n")
            .filter((line) => line.includes(requestId) && isOfError(line));
    },
    async stop() {
      sender.close();
      await shop.stop();
      await supplier.close();
    },
  };
}

/** Keys of two accounts, so that what is bought takes nothing from those who call models. */
async function addKeys(shop: TestAiProxy): Promise<ShopNames> {
  const [buyer, caller] = [await shop.addAccount(BALANCE), await shop.addAccount(BALANCE)];
  const revoked = await shop.addKey(caller, "general");
  await shop.keys.revoke(revoked.keyId);
  return {
    [keyName("revoked")]: revoked.key,
    [keyName("product_ordering")]: (await shop.addKey(buyer, "product_ordering")).key,
    [keyName("general")]: (await shop.addKey(caller, "general")).key,
    [keyName("ai_proxy")]: (await shop.addKey(caller, "ai_proxy")).key,
  };
}

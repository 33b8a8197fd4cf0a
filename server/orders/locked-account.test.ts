import { afterEach, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import { holdLock } from "../testing/database/held-lock.ts";
import { untilInLine } from "../testing/database/until-in-line.ts";
import { type Interceptor, startInterceptor } from "../testing/faults/interceptor.ts";
import { openTestServices, type TestServices, testConfig } from "../testing/test-shop.ts";
import { OrderInProgressError } from "./errors.ts";
import type { PlacedOrder } from "./order.ts";

let services: TestServices;
let interceptor: Interceptor;
/** Another process, whose transactions are seen. */
let elsewhere: Services;
let asksBriefly: () => void = () => {};
let productId: string;
beforeEach(async () => {
  services = await openTestServices();
  interceptor = await startInterceptor(services.databaseTcpUrl, ({ from, request }) => {
    if (from === "client" && /^execute .*max_statement_time.* FROM accounts .* FOR UPDATE$/s.test(request))
      asksBriefly();
    return "pass";
  });
  elsewhere = compose(testConfig(interceptor.url));
  ({ productId } = await services.addProduct({ codes: 10 }));
});
afterEach(async () => {
  await closeDatabase(elsewhere.database);
  interceptor.close();
  // Ends with the audit.
  await services.dispose();
});

interface Buyer {
  readonly accountId: AccountId;
  order(externalOrderId: string, at?: Services): Promise<PlacedOrder>;
}

async function addBuyer(): Promise<Buyer> {
  const accountId = await services.addAccount("100");
  const { key } = await services.addKey(accountId);
  return {
    accountId,
    async order(externalOrderId, at = services) {
      const caller = await at.keys.authenticate(key);
      if (caller === null) throw new Error("The key is not known.");
      return at.orders.place({ caller, externalOrderId, productId, qty: 1, expectedUnitPrice: null });
    },
  };
}

const holdAccount = ({ accountId }: Buyer) =>
  holdLock(services.databaseUrl, "SELECT 1 FROM accounts WHERE account_id = ? FOR UPDATE", [accountId]);

function isProductFree(): Promise<boolean> {
  const stock = "SELECT 1 FROM stock_segments WHERE product_id = ? FOR UPDATE NOWAIT";
  return services.database.rows(stock, [productId]).then(
    () => true,
    () => false,
  );
}

/** On a very busy machine an order may have waited for long enough before its account is let go: then it is sent again. */
async function untilBought(order: () => Promise<PlacedOrder>): Promise<PlacedOrder> {
  for (;;) {
    try {
      return await order();
    } catch (error) {
      if (!(error instanceof OrderInProgressError)) throw error;
    }
  }
}

test("an order that waits for its account's row does not keep the product from others meanwhile", async () => {
  const [locked, other] = [await addBuyer(), await addBuyer()];
  const held = await holdAccount(locked);
  const first = locked.order("1");
  const refused = expect(first).rejects.toBeInstanceOf(OrderInProgressError);
  await untilInLine(services.database);
  expect(await isProductFree()).toBe(true);
  for (const at of [services, elsewhere]) await untilBought(() => other.order("1", at));
  await refused;
  // From then on it waits in line at once, and others of its account with it.
  const [next, another] = [locked.order("1"), locked.order("2")];
  await untilInLine(services.database);
  await held.release();
  await Promise.allSettled([next, another]);
  for (const id of ["1", "2"])
    expect((await untilBought(() => locked.order(id))).order.status).toBe("delivered");
});

test("an order in line and one of the same account at another process, which has the product, are both bought", async () => {
  const buyer = await addBuyer();
  const held = await holdAccount(buyer);
  const inLine = untilBought(() => buyer.order("in line"));
  await untilInLine(services.database);
  const asked = new Promise<void>((resolve) => {
    asksBriefly = resolve;
  });
  const briefly = untilBought(() => buyer.order("briefly", elsewhere));
  await asked;
  // Now the first gets the account and waits for the product, and the second has that and waits for the account.
  await held.release();
  const orders = await Promise.all([inLine, briefly]);
  expect(orders.map(({ order, reused }) => [order.status, reused])).toEqual([
    ["delivered", false],
    ["delivered", false],
  ]);
  expect(new Set(orders.flatMap(({ order }) => order.codes)).size).toBe(2);
});

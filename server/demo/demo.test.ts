import { afterEach, beforeEach, expect, test } from "vitest";
import { InvitationGoneError } from "../people/errors.ts";
import { addPerson, newOrigin, tokenOf } from "../testing/test-people.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { openDemoShop } from "./demo.ts";

const PRODUCT_ID = "demo-ai-on-demand";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
});
afterEach(() => services.dispose());

/** Opens the demo shop, asks for its on-demand product, and closes it again. */
async function visit() {
  const demo = await openDemoShop(services, { isSimulated: true });
  if (demo === undefined) throw new Error("This is no demo shop.");
  try {
    const { supply } = await services.products.get(demo.onDemandProductId);
    if (supply === null) throw new Error("The product is not bought on demand.");
    const { supplierId, supplierProductId } = supply;
    const { available } = await services.suppliers.quote(supplierId, supplierProductId, 1, {
      fresh: true,
      purpose: "purchase",
    });
    const { baseUrl } = await services.suppliers.get(supplierId);
    const catalog = (await services.products.list()).map(({ product }) => product);
    return { demo, available, baseUrl, catalog };
  } finally {
    await demo.close();
  }
}

test("the demo shop is filled once, and finds its supplier wherever that runs", async () => {
  const first = await visit();
  expect(first).toMatchObject({ available: true, demo: { newKeys: [{}, {}] }, catalog: [{}, {}, {}, {}] });
  const second = await visit();
  const { accountId } = first.demo.account;
  expect(second).toMatchObject({ available: true, demo: { newKeys: [], account: { accountId } } });
  expect(second.catalog).toEqual(first.catalog);
  expect(second.baseUrl).not.toBe(first.baseUrl);
});

test("somebody is invited to own the demo account, anew at each start until they have come", async () => {
  const links = [];
  for (let start = 0; start < 2; start += 1) links.push((await visit()).demo.person.invitation?.link ?? "");
  const [former = "", link = ""] = links;
  const [name, password] = ["Ada", "a password of Ada's"];
  const accept = (from: string) =>
    services.people.invitations.accept({ token: tokenOf(from), name, password, ...newOrigin() });
  await expect(accept(former)).rejects.toThrow(InvitationGoneError);
  expect(await accept(link)).toMatchObject({ email: "demo@buyer.example" });
  const { demo } = await visit();
  expect(demo.person).toEqual({ email: "demo@buyer.example", invitation: null });
  expect(await services.people.list(null)).toMatchObject([
    { name, memberships: [{ accountId: demo.account.accountId, role: "owner" }] },
  ]);
});

test("nobody is invited to a demo account that has another owner", async () => {
  const { accountId } = (await visit()).demo.account;
  await addPerson(services, accountId, "billing");
  expect((await visit()).demo.person).toMatchObject({ email: "demo@buyer.example" });
  const { email } = await addPerson(services, accountId);
  expect((await visit()).demo.person).toEqual({ email, invitation: null });
});

test("a demo shop that is older than its on-demand product gets it", async () => {
  const { catalog } = await visit();
  await services.database.change("DELETE FROM products WHERE product_id = ?", [PRODUCT_ID]);
  const { createdAtMs: _, ...product } = catalog.find(({ productId }) => productId === PRODUCT_ID) ?? {};
  const again = await visit();
  expect(again.available).toBe(true);
  expect(again.catalog).toContainEqual(expect.objectContaining(product));
});

test("an on-demand product that was left without prices gets them; others stay as the operator made them", async () => {
  const { catalog } = await visit();
  await services.products.setPrices(PRODUCT_ID, { 1: null, 2: null, 3: null, 4: null, 5: null });
  expect((await visit()).catalog).toEqual(catalog);
  await services.products.setPrices(PRODUCT_ID, { 1: usd("7"), 2: null });
  await services.products.setEnabled(PRODUCT_ID, false);
  const changed = await services.products.get(PRODUCT_ID);
  expect((await visit()).catalog).toContainEqual(changed);
});

test("models are there for a first call, and stay as the operator made them", async () => {
  expect((await visit()).demo.modelId).toBe("sim-echo");
  await services.models.disable("claude-haiku-5-5");
  await visit();
  expect(await services.models.offered()).toMatchObject([
    { modelId: "claude-sonnet-5-5" },
    { modelId: "sim-echo" },
  ]);
});

test("an upstream of the operator's own is not asked for simulated models", async () => {
  const demo = await openDemoShop(services, { isSimulated: false });
  await demo?.close();
  expect(demo?.modelId).toBe("claude-sonnet-5-5");
  expect(await services.models.list()).toMatchObject([
    { modelId: "claude-haiku-5-5" },
    { modelId: "claude-sonnet-5-5" },
  ]);
});

test("somebody's own shop is left alone", async () => {
  await services.addAccount();
  expect(await openDemoShop(services, { isSimulated: true })).toBeUndefined();
  expect(await services.suppliers.list()).toEqual([]);
  expect(await services.models.list()).toEqual([]);
  expect(await services.people.list(null)).toEqual([]);
});

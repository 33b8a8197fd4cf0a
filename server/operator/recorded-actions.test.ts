import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../actions/action.ts";
import type { AccountId, OrderId } from "../ids.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { createTestDatabase } from "../testing/database/test-database.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { createProgram } from "./main.ts";

let services: TestServices;
let operator: TestOperator;
let simulator: SupplierSimulator;
let folder: string;
let count = 0;
beforeAll(async () => {
  services = await openTestServices();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  simulator = await startSupplierSimulator();
  folder = await mkdtemp(join(tmpdir(), "recorded-actions-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await simulator.close();
  await services.orders.idle();
  // Ends with the audit.
  await services.dispose();
});

/** A command that changes something: what is given to it, and what is recorded of it. */
interface Case {
  readonly args: readonly string[];
  readonly operation: string;
  /** What it is done to; where only the command knows that, how its answer tells it. */
  readonly target: string | ((answer: Readonly<Record<string, string>>) => string);
  readonly before?: object;
  readonly after?: object;
  readonly reason?: string;
  /** What nobody may find in the log. */
  readonly secrets?: readonly string[];
}

async function file(text: string): Promise<string> {
  const path = join(folder, `file-${++count}`);
  await writeFile(path, text);
  return path;
}

/** A product with codes in one segment. */
async function stocked(state: "open" | "set_aside" = "open") {
  const { productId, codes } = await services.addProduct({ price: "2.50", codes: 3 });
  const [segment] = await services.stock.list(productId);
  if (segment === undefined) throw new Error("There is no segment.");
  const { segmentId } = segment;
  await services.database.change("UPDATE stock_segments SET state = ? WHERE segment_id = ?", [
    state,
    segmentId,
  ]);
  return { productId, segmentId, codes };
}

async function orderOf(accountId: AccountId, productId: string): Promise<OrderId> {
  const { key } = await services.addKey(accountId);
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  const externalOrderId = `order-${++count}`;
  await services.orders
    .place({ caller, externalOrderId, productId, qty: 1, expectedUnitPrice: null })
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== "supplier_unavailable") throw error;
    });
  const [order] = await services.orderAdministration.search({ accountId, externalOrderId }, 1);
  if (order === undefined) throw new Error("There is no order.");
  return order.orderId;
}

async function supplied() {
  const { supplierId, productId } = await addOnDemandProduct(services, { simulator });
  return { supplierId, productId };
}

/** An order whose purchase has no result. */
async function orderInDoubt() {
  const { productId, supplierId } = await supplied();
  simulator.fault({ kind: "cut_before", times: null });
  const orderId = await orderOf(await services.addAccount("100"), productId);
  simulator.clearFaults();
  return { orderId, supplierId };
}

async function member() {
  const [accountId, email] = [await services.addAccount(), `person-${++count}@buyer.example`];
  const { link } = await services.people.invitations.invite(email, accountId, "owner");
  const token = link.slice(link.indexOf("=") + 1);
  const password = "correct horse battery staple 4";
  const acceptance = { token, password, name: "Ada", address: "192.0.2.1" };
  await services.people.invitations.accept(acceptance);
  return { accountId, email, password };
}

async function model(): Promise<string> {
  const modelId = `model-${++count}`;
  const prices = ["--input", "3", "--output", "15"];
  await operator.json(["model", "set", modelId, "--name", "Large", ...prices]);
  return modelId;
}

async function key() {
  const accountId = await services.addAccount();
  return { accountId, keyId: (await services.addKey(accountId)).keyId };
}

const OTHER_KEY = "svc_sk_another-key-of-ours";

/** Every command that changes something or shows codes. */
const WRITING: Readonly<Record<string, () => Promise<Case>>> = {
  "account create": async () => ({
    args: ["--name", "Acme Ltd"],
    operation: "createAccount",
    target: ({ accountId = "" }) => accountId,
    after: { name: "Acme Ltd", status: "active" },
  }),
  "account suspend": async () => {
    const target = await services.addAccount();
    return {
      args: [target],
      operation: "suspendAccount",
      target,
      before: { status: "active" },
      after: { status: "suspended" },
    };
  },
  "account resume": async () => {
    const target = await services.addAccount();
    await services.accounts.suspend(target);
    return { args: [target], operation: "resumeAccount", target, after: { status: "active" } };
  },
  "account set": async () => {
    const target = await services.addAccount();
    return {
      args: [target, "--order-cap-ceiling", "200", "--lower-max-tokens", "on"],
      operation: "changeAccount",
      target,
      before: { lowersMaxTokens: false, orderCapCeiling: null },
      after: { lowersMaxTokens: true, orderCapCeiling: "200.00" },
    };
  },
  "key create": async () => {
    const accountId = await services.addAccount();
    return {
      args: ["--account", accountId, "--kind", "general", "--name", "Desk", "--idempotency-key", "only-once"],
      operation: "createKey",
      target: ({ keyId = "" }) => keyId,
      after: { accountId, kind: "general", name: "Desk" },
      secrets: ["only-once"],
    };
  },
  "key rename": async () => {
    const { keyId: target } = await key();
    return { args: [target, "--name", "New"], operation: "changeKey", target, after: { name: "New" } };
  },
  "key expire": async () => {
    const { keyId: target } = await key();
    const after = { expiresAt: "2099-01-01T00:00:00.000Z" };
    return { args: [target, "--at", "2099-01-01"], operation: "changeKey", target, after };
  },
  "key caps": async () => {
    const { keyId: target } = await key();
    const after = { orderCap: "50.00" };
    return { args: [target, "--order-cap", "50"], operation: "changeKey", target, after };
  },
  "key ceilings": async () => {
    const { keyId: target } = await key();
    const after = { dailyCapCeiling: "70.00" };
    return { args: [target, "--daily-cap", "70"], operation: "setKeyCeilings", target, after };
  },
  "key rotate": async () => {
    const { keyId: target } = await key();
    return { args: [target], operation: "rotateKey", target };
  },
  "key end-overlap": async () => {
    const { keyId: target } = await key();
    await services.keys.rotate(target, 3_600_000);
    return { args: [target], operation: "endKeyOverlap", target, after: { formerSecrets: [] } };
  },
  "key revoke": async () => {
    const { keyId: target } = await key();
    return { args: [target], operation: "revokeKey", target, after: { status: "revoked" } };
  },
  "user invite": async () => {
    const [accountId, email] = [await services.addAccount(), "new@buyer.example"];
    return {
      args: ["--account", accountId, "--role", "billing", "--email", email],
      operation: "inviteUser",
      target: email,
      after: { accountId, role: "billing" },
    };
  },
  "user remove": async () => {
    const { accountId, email } = await member();
    const before = { accountId };
    return { args: [email, "--account", accountId], operation: "removeMember", target: email, before };
  },
  "user reset": async () => {
    const { email } = await member();
    return { args: [email], operation: "resetUser", target: email };
  },
  "user end-sessions": async () => {
    const { email, password } = await member();
    await services.people.sessions.signIn({ email, password, address: "192.0.2.1", userAgent: "a browser" });
    return { args: [email], operation: "endUserSessions", target: email, after: { endedSessions: 1 } };
  },
  "top-up": async () => {
    const target = await services.addAccount("1");
    return {
      args: ["--account", target, "--amount", "25.00", "--reference", "invoice-1"],
      operation: "topUpAccount",
      target,
      after: { amount: "25.00", balanceAfter: "26.00", reference: "invoice-1" },
    };
  },
  adjust: async () => {
    const target = await services.addAccount("10");
    return {
      args: ["--account", target, "--amount", "-3.25", "--reference", "fix-1", "--note", "charged twice"],
      operation: "adjustBalance",
      target,
      after: { amount: "-3.25", balanceAfter: "6.75", reference: "fix-1" },
      reason: "charged twice",
    };
  },
  "product create": async () => ({
    args: ["--id", "gift-10", "--name", "Gift", "--redeem-url", "https://redeem.example/gift"],
    operation: "createProduct",
    target: "gift-10",
    after: { name: "Gift", priceOfLevel1: null },
  }),
  "product price": async () => {
    const { productId: target } = await services.addProduct({ price: "2.50" });
    return {
      args: [target, "--level2", "2.25"],
      operation: "setProductPrices",
      target,
      before: { priceOfLevel2: "2.50" },
      after: { priceOfLevel2: "2.25" },
    };
  },
  "product supply": async () => {
    const { productId: target } = await supplied();
    const args = [target, "--max-cost", "7.77"];
    return { args, operation: "setProductSupply", target };
  },
  "product enable": async () => {
    const { productId: target } = await services.addProduct();
    await services.products.setEnabled(target, false);
    return { args: [target], operation: "enableProduct", target, after: { enabled: true } };
  },
  "product disable": async () => {
    const { productId: target } = await services.addProduct();
    return { args: [target], operation: "disableProduct", target, after: { enabled: false } };
  },
  "product redeem-url": async () => {
    const { productId: target } = await services.addProduct();
    const redeemUrl = "https://redeem.example/new";
    return {
      args: [target, redeemUrl],
      operation: "setProductRedeemUrl",
      target,
      before: { redeemUrl: "https://redeem.example/here" },
      after: { redeemUrl },
    };
  },
  "stock import": async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    const secrets = ["FIRST-SECRET-CODE", "SECOND-SECRET-CODE"];
    return {
      args: ["--product", productId, "--file", await file(`${secrets.join("\n")}\n${secrets[0]}\n`)],
      operation: "importCodes",
      target: ({ segmentId = "" }) => segmentId,
      after: { productId, state: "open", imported: 2, duplicates: 1, invalid: 0 },
      secrets,
    };
  },
  "stock recall": async () => {
    const { segmentId: target, codes: secrets } = await stocked();
    const after = { state: "recalled", recalled: 3 };
    return { args: [target], operation: "recallSegment", target, after, secrets };
  },
  "stock reopen": async () => {
    const { segmentId: target, codes: secrets } = await stocked("set_aside");
    const after = { forSale: 3, unreadable: 0, maybeSold: 0 };
    return { args: [target], operation: "reopenSegment", target, after, secrets };
  },
  "stock mark-sold": async () => {
    const { productId, segmentId: target, codes: secrets } = await stocked();
    const args = ["--product", productId, "--file", await file(`${secrets[1]}\n`)];
    return { args, operation: "markCodesSold", target, after: { productId, takenOut: 1 }, secrets };
  },
  "stock codes": async () => {
    const { productId, segmentId: target, codes: secrets } = await stocked("set_aside");
    const args = [target, "--to", join(folder, "shown.txt")];
    return { args, operation: "showCodes", target, after: { productId, codes: 3 }, secrets };
  },
  "supplier add": async () => ({
    args: ["--id", "acme", "--base-url", simulator.url, "--key-file", await file(OTHER_KEY)],
    operation: "addSupplier",
    target: "acme",
    after: { baseUrl: simulator.url, status: "active" },
    secrets: [OTHER_KEY],
  }),
  "supplier set": async () => {
    const { supplierId: target } = await supplied();
    return {
      args: [target, "--key-file", await file(OTHER_KEY)],
      operation: "setSupplierAccess",
      target,
      secrets: [OTHER_KEY, simulator.apiKey],
    };
  },
  "supplier enable": async () => {
    const { supplierId: target } = await supplied();
    await services.suppliers.setStatus(target, "disabled");
    return { args: [target], operation: "enableSupplier", target, after: { status: "active" } };
  },
  "supplier disable": async () => {
    const { supplierId: target } = await supplied();
    return { args: [target], operation: "disableSupplier", target, after: { status: "disabled" } };
  },
  "order refund": async () => {
    const { productId, codes: secrets } = await stocked();
    const target = await orderOf(await services.addAccount("100"), productId);
    return {
      args: [target, "--reason", "did not work"],
      operation: "refundOrder",
      target,
      before: { status: "delivered" },
      after: { amount: "2.50", status: "refunded" },
      reason: "did not work",
      secrets,
    };
  },
  "order resolve": async () => {
    const { orderId: target, supplierId: asked } = await orderInDoubt();
    return { args: [target], operation: "resolveOrder", target, after: { asked } };
  },
  "order give-up": async () => {
    const { orderId: target } = await orderInDoubt();
    return { args: [target, "--yes"], operation: "giveUpOrder", target, after: { status: "failed" } };
  },
  "model set": async () => ({
    args: ["large-1", "--name", "Large 1", "--input", "3", "--output", "15"],
    operation: "setModel",
    target: "large-1",
    after: { name: "Large 1", prices: { input: "3.00", output: "15.00" } },
  }),
  "model disable": async () => {
    const target = await model();
    return { args: [target], operation: "disableModel", target, after: { enabled: false } };
  },
  "statistics rebuild": async () => {
    const target = await services.addAccount();
    return {
      args: ["--account", target, "--from", "2026-10-01", "--to", "2026-10-03"],
      operation: "rebuildStatistics",
      target,
      after: { from: "2026-10-01T00:00:00.000Z", to: "2026-10-03T00:00:00.000Z" },
    };
  },
  "encryption-key rotate": async () => ({
    args: [],
    operation: "rotateEncryptionKey",
    target: "test",
    secrets: TEST_KEY_RING.map(({ key: bytes }) => bytes.toString("base64")),
  }),
};

/** Those that are tried by themselves, below. */
const WRITING_MUCH = ["after-loss", "restore"];

/** Every command that changes nothing in the database. */
const READING = [
  ...["account list", "account show", "key list", "key show", "user list", "ledger"],
  ...["product list", "product show", "stock list", "supplier list", "supplier show"],
  ...["order list", "order show", "order stuck", "reconcile", "model list", "model suggest", "usage"],
  ...["statistics show", "statement show", "export ledger", "export orders", "export calls"],
  ...["actions list", "audit", "backup"],
];

function commandNames(parent: Command, path: readonly string[] = []): string[] {
  return parent.commands.flatMap((command) => {
    const own = [...path, command.name()];
    return command.commands.length === 0 ? [own.join(" ")] : commandNames(command, own);
  });
}

/** What has been recorded since as many actions, the oldest first. */
async function recordedSince(number: bigint): Promise<Action[]> {
  const { actions } = await services.actions.page({ limit: 1_000 });
  return actions.filter(({ sequence }) => sequence > number).toReversed();
}

async function lastNumber(): Promise<bigint> {
  const { actions } = await services.actions.page({ limit: 1 });
  return actions[0]?.sequence ?? 0n;
}

/** All texts of an answer that are shown once: full keys, and the tokens of links. */
function shownOnce(answer: unknown): string[] {
  return JSON.stringify(answer).match(/svc_sk_\w{20,}|(?<=#invitation=)[\w-]+/g) ?? [];
}

it("every command is known as one that changes something, or as one that does not", () => {
  const program = createProgram(process, async () => {});
  const known = [...Object.keys(WRITING), ...WRITING_MUCH, ...READING];
  expect(commandNames(program).toSorted()).toEqual(known.toSorted());
});

describe("a command that changes something is recorded once, without secrets", () => {
  it.each(Object.keys(WRITING))("%s", async (name) => {
    const {
      args,
      operation,
      target,
      before,
      after,
      reason,
      secrets = [],
    } = await (WRITING[name] as () => Promise<Case>)();
    const number = await lastNumber();
    const { stdout } = await operator.run([...name.split(" "), ...args, "--json"]);
    const answer = JSON.parse(stdout);
    const recorded = await recordedSince(number);
    expect(recorded).toHaveLength(1);
    const [action] = recorded as [Action];
    expect(action).toMatchObject({
      operation,
      actor: { kind: "command_line", id: null, name: expect.stringMatching(/^.+@.+$/) },
      targetId: typeof target === "string" ? target : target(answer),
      reason: reason ?? null,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    if (before !== undefined) expect(JSON.parse(action.before ?? "null")).toMatchObject(before);
    if (after !== undefined) expect(JSON.parse(action.after ?? "null")).toMatchObject(after);
    const text = JSON.stringify(action, (_, value) => (typeof value === "bigint" ? String(value) : value));
    for (const secret of [...secrets, ...shownOnce(answer)]) expect(text).not.toContain(secret);
  });

  it("after-loss, once for each import that is set aside", async () => {
    const { segmentId } = await stocked();
    const number = await lastNumber();
    await operator.json(["after-loss", "--since", "2026-01-01"]);
    const recorded = await recordedSince(number);
    expect(recorded.filter(({ targetId }) => targetId === segmentId)).toMatchObject([
      {
        operation: "setSegmentAside",
        before: '{"lostSince":null,"state":"open"}',
        after: '{"lostSince":"2026-01-01T00:00:00.000Z","state":"set_aside"}',
      },
    ]);
    const targets = recorded.map(({ targetId }) => targetId);
    expect(new Set(targets).size).toBe(targets.length);
    expect(new Set(recorded.map(({ requestId }) => requestId)).size).toBe(1);
    // Everything is set aside already.
    await operator.json(["after-loss", "--since", "2026-01-01"]);
    expect(await recordedSince(number)).toEqual(recorded);
  });

  it("restore, behind what the backup had recorded", async () => {
    const to = join(folder, "backup");
    await operator.json(["account", "create", "--name", "Kept"]);
    const { takenAt } = await operator.json(["backup", "--to", to]);
    const number = await lastNumber();
    const empty = await createTestDatabase();
    const there = testOperator(empty.url, TEST_KEY_RING);
    expect((await there.run(["restore", "--from", to, "--replace", "--json"])).json).toMatchObject({
      audit: { ok: true },
    });
    const [last, kept] = await there.json(["actions", "list", "--limit", "2"]);
    expect(last).toMatchObject({
      number: String(number + 1n),
      operation: "restoreBackup",
      target: { kind: "backup", id: takenAt },
    });
    expect(kept).toMatchObject({ operation: "createAccount", after: { name: "Kept" } });
    await empty.drop();
  });
});

it("a command that changes nothing, or is refused, is not recorded", async () => {
  const accountId = await services.addAccount("1");
  await services.accounts.suspend(accountId);
  const { keyId } = await key();
  await services.keys.revoke(keyId);
  const topUp = ["top-up", "--account", accountId, "--amount", "5", "--reference", "once"];
  await operator.json(topUp);
  const { orderId } = await orderInDoubt();
  const { productId } = await services.addProduct({ price: "3.00", codes: 0 });
  const number = await lastNumber();
  for (const args of [
    ["account", "suspend", accountId],
    ["account", "set", accountId, "--lower-max-tokens", "off"],
    ["key", "revoke", keyId],
    ["key", "end-overlap", keyId],
    topUp,
    ["product", "price", productId, "--all", "3.00"],
    ["stock", "import", "--product", productId, "--file", await file("\n")],
    ["after-loss", "--since", "2026-01-01", "--dry-run"],
  ])
    await operator.json(args);
  for (const args of [
    ["order", "give-up", orderId],
    ["adjust", "--account", accountId, "--amount", "-100", "--reference", "r", "--note", "too much"],
    ["product", "create", "--id", productId, "--name", "Again", "--redeem-url", "https://redeem.example"],
    ["product", "disable", "unknown"],
  ])
    expect(await operator.run(args)).toMatchObject({ exitCode: 1 });
  expect(await recordedSince(number)).toEqual([]);
});

it("what buyers and the shop itself do is not recorded", async () => {
  const number = await lastNumber();
  const accountId = await services.addAccount("10");
  await services.ledger.topUp({ accountId, amountMicrocents: usd("5"), reference: "direct" });
  await orderOf(accountId, (await stocked()).productId);
  expect(await recordedSince(number)).toEqual([]);
});

it("actions list tells them newest first, and those of one thing, operation or time", async () => {
  const { productId } = await services.addProduct({ price: "3.00", codes: 0 });
  await operator.json(["product", "price", productId, "--level1", "4"]);
  await operator.json(["product", "disable", productId]);
  const [second, first] = await operator.json(["actions", "list", "--target", productId]);
  expect([first, second]).toMatchObject([
    { operation: "setProductPrices", before: { priceOfLevel1: "3.00" }, after: { priceOfLevel1: "4.00" } },
    { operation: "disableProduct", target: { kind: "product", id: productId }, reason: null },
  ]);
  const only = ["actions", "list", "--target", productId];
  expect(await operator.json([...only, "--operation", "disableProduct"])).toEqual([second]);
  expect(await operator.json([...only, "--actor", first.actor.name])).toEqual([second, first]);
  expect(await operator.json([...only, "--actor", "nobody@nowhere"])).toEqual([]);
  expect(await operator.json([...only, "--from", second.createdAt, "--limit", "1"])).toEqual([second]);
  expect(await operator.json([...only, "--to", first.createdAt])).toEqual([]);
  expect((await operator.run(only)).stdout).toMatch(/setProductPrices .*\{"priceOfLevel1":"3\.00"\}/);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ran, runInProcess, type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
let operator: TestOperator;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "operator-test-"));
  services = await openTestServices();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await services.dispose();
});

const UNKNOWN_ACCOUNT_ID = `acc_${"0".repeat(32)}`;

/** A refused command: nothing on stdout, a reason and a next step on stderr, exit code 1. */
async function expectRefusal(args: string[], reason: RegExp): Promise<void> {
  for (const ran of [await operator.run(args), await operator.run([...args, "--json"])]) {
    expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
    expect(ran.stderr).toMatch(reason);
    expect(ran.stderr).toMatch(/^Next step: /m);
    expect(ran.stderr).not.toMatch(/^\s+at .*\.ts/m);
  }
}

async function newAccount(): Promise<string> {
  return (await operator.json(["account", "create", "--name", "Acme"])).accountId;
}

/** An account with an order of one code. */
async function withOrder() {
  const accountId = await services.addAccount("100");
  const { keyId } = await services.addKey(accountId);
  const { productId, codes } = await services.addProduct({ price: "2.50" });
  const [key] = await services.keys.list(accountId);
  if (key === undefined) throw new Error("The key is missing.");
  const { order } = await services.orders.place({
    caller: { ...key, rpmLimit: 60, callsInFlightLimit: null, lowersMaxTokens: false },
    externalOrderId: "first\u{1B}[2J",
    productId,
    qty: 2,
    expectedUnitPrice: null,
  });
  return { accountId, keyId, productId, codes, orderId: order.orderId };
}

describe("accounts", () => {
  it("are created, listed and shown with the same fields", async () => {
    const created = await operator.json(["account", "create", "--name", "Acme Ltd", "--rpm", "120"]);
    expect(created).toMatchObject({
      accountId: expect.stringMatching(/^acc_[0-9a-f]{32}$/),
      name: "Acme Ltd",
      status: "active",
      balance: "0.00",
      available: "0.00",
      level: 1,
      rpmLimit: 120,
    });
    expect(await operator.json(["account", "show", created.accountId])).toEqual(created);
    expect(await operator.json(["account", "list"])).toContainEqual(created);
    const table = await operator.run(["account", "list"]);
    expect(table.stdout).toContain("Acme Ltd");
    expect(table.stdout).toContain(created.createdAt);
  });

  it("are refused with their keys while they are suspended", async () => {
    const accountId = await services.addAccount();
    const { key } = await services.addKey(accountId);
    expect((await operator.json(["account", "suspend", accountId])).status).toBe("suspended");
    expect(await services.keys.authenticate(key)).toBeNull();
    expect((await operator.json(["account", "show", accountId])).status).toBe("suspended");
    expect((await operator.json(["account", "resume", accountId])).status).toBe("active");
    await expect.poll(() => services.keys.authenticate(key)).toMatchObject({ accountId });
  });

  it("are not created from bad values", async () => {
    await expectRefusal(["account", "create"], /required option '--name <name>'/);
    await expectRefusal(["account", "create", "--name", "  "], /1 to 200 characters/);
    await expectRefusal(["account", "create", "--name"], /argument missing/);
    await expectRefusal(["account", "create", "--name", "--rpm", "5"], /its own text is missing/);
    for (const rpm of ["0", "-1", "1.5", "many", "1000001"]) {
      await expectRefusal(
        ["account", "create", "--name", "A", "--rpm", rpm],
        /whole number from 1 to 1000000/,
      );
    }
  });

  it("are named by ids of the right form that exist", async () => {
    for (const command of ["show", "suspend", "resume"]) {
      await expectRefusal(["account", command, UNKNOWN_ACCOUNT_ID], /There is no account "acc_0/);
      await expectRefusal(["account", command, "acc_1' OR 1=1"], /acc_ and 32 hex digits/);
      await expectRefusal(["account", command], /missing required argument/);
    }
    await expectRefusal(["account", "show", UNKNOWN_ACCOUNT_ID, "more"], /too many arguments/);
  });
});

describe("keys", () => {
  it("show themselves in full once and masked afterwards", async () => {
    const accountId = await newAccount();
    const args = ["key", "create", "--account", accountId, "--kind", "general"];
    const created = await operator.json([...args, "--order-cap", "5", "--daily-cap", "7.25"]);
    expect(created).toMatchObject({ kind: "general", orderCap: "5.00", dailyCap: "7.25", status: "active" });
    expect(created.key).toMatch(/^svc_sk_\w{49}$/);
    const listed = await operator.run(["key", "list", "--account", accountId, "--json"]);
    expect(listed.stdout).not.toContain(created.key);
    const { key: _key, ...shown } = created;
    expect(listed.json).toEqual([{ ...shown, spentToday: "0.00" }]);
    const told = await operator.run(args);
    expect(told.stdout).toMatch(/svc_sk_\w{49}[\s\S]*cannot be shown again/);
  });

  it("are made of the kind that is named", async () => {
    const accountId = await newAccount();
    for (const kind of ["general", "product_ordering", "ai_proxy"]) {
      const { key } = await operator.json(["key", "create", "--account", accountId, "--kind", kind]);
      expect(await services.keys.authenticate(key)).toMatchObject({ accountId, kind });
    }
  });

  it("are listed with what they spent today", async () => {
    const { accountId, keyId } = await withOrder();
    const [listed] = await operator.json(["key", "list", "--account", accountId]);
    expect(listed).toMatchObject({ keyId, spentToday: "5.00", orderCap: null });
    expect((await operator.run(["key", "list", "--account", accountId])).stdout).toMatch(/none +none +5\.00/);
  });

  it("have their caps set and cleared one by one", async () => {
    const { keyId } = await services.addKey(await services.addAccount());
    const caps = async (...options: string[]) => {
      const { orderCap, dailyCap } = await operator.json(["key", "caps", keyId, ...options]);
      return { orderCap, dailyCap };
    };
    expect(await caps("--order-cap", "5.0001")).toEqual({ orderCap: "5.0001", dailyCap: null });
    expect(await caps("--daily-cap", "50")).toEqual({ orderCap: "5.0001", dailyCap: "50.00" });
    expect(await caps("--order-cap", "none")).toEqual({ orderCap: null, dailyCap: "50.00" });
    await expectRefusal(["key", "caps", keyId], /Neither --order-cap nor --daily-cap/);
    await expectRefusal(["key", "caps", keyId, "--order-cap", "0"], /above zero/);
    await expectRefusal(["key", "caps", keyId, "--order-cap", "nothing"], /such as 12.50, or "none"/);
    await expectRefusal(
      ["key", "caps", keyId, "--daily-cap", "90071992.55"],
      /largest amount is 90071992.5474/,
    );
    await expectRefusal(["key", "caps", keyId, "--daily-cap=-1"], /such as 12.50/);
  });

  it("are refused when they cannot be", async () => {
    const accountId = await newAccount();
    await expectRefusal(
      ["key", "create", "--account", UNKNOWN_ACCOUNT_ID, "--kind", "general"],
      /no account/,
    );
    await expectRefusal(["key", "create", "--account", accountId, "--kind", "admin"], /Allowed choices are/);
    await expectRefusal(["key", "create", "--account", accountId], /required option '--kind/);
    await expectRefusal(
      ["key", "create", "--account", accountId, "--kind", "general", "--daily-cap", "0.00"],
      /above zero/,
    );
    await expectRefusal(["key", "list", "--account", UNKNOWN_ACCOUNT_ID], /no account/);
    await expectRefusal(["key", "revoke", `key_${"0".repeat(32)}`], /There is no key/);
    await expectRefusal(["key", "revoke", "svc_sk_1234"], /A key's id is not the key itself/);
  });

  it("are revoked, and revoking again changes nothing", async () => {
    const { keyId, key } = await services.addKey(await services.addAccount());
    const revokedAt = () =>
      services.database.rows("SELECT revoked_at_ms FROM api_keys WHERE key_id = ?", [keyId]);
    expect((await operator.json(["key", "revoke", keyId])).status).toBe("revoked");
    const first = await revokedAt();
    expect((await operator.json(["key", "revoke", keyId])).status).toBe("revoked");
    expect(await revokedAt()).toEqual(first);
    expect(await services.keys.authenticate(key)).toBeNull();
  });
});

describe("money", () => {
  const topUp = (accountId: string, amount: string, reference: string) => [
    "top-up",
    "--account",
    accountId,
    "--amount",
    amount,
    "--reference",
    reference,
  ];
  const adjust = (accountId: string, ...amount: string[]) => [
    "adjust",
    "--account",
    accountId,
    ...amount,
    "--reference",
    `fix ${amount.join()}`,
    "--note",
    "a correction",
  ];

  it("is credited once per reference", async () => {
    const accountId = await newAccount();
    const first = await operator.json(topUp(accountId, "100.00", "invoice 1"));
    expect(first).toMatchObject({
      accountId,
      amount: "100.00",
      balance: "100.00",
      level: 2,
      repeated: false,
    });
    expect(await operator.json(topUp(accountId, "100", "invoice 1"))).toEqual({ ...first, repeated: true });
    expect((await operator.run(topUp(accountId, "100", "invoice 1"))).stdout).toContain(
      "nothing was changed",
    );
    await expectRefusal(
      topUp(accountId, "100.01", "invoice 1"),
      /was used for 100.00 USD[\s\S]*ledger --account/,
    );
    expect((await operator.json(["account", "show", accountId])).balance).toBe("100.00");
  });

  it("is not credited in amounts that are none", async () => {
    const accountId = await newAccount();
    await expectRefusal(topUp(accountId, "0", "r"), /above zero/);
    for (const amount of ["-5", "+5", "5,00", "1e3", "$5", "5.00001", "five", ".5", ""]) {
      await expectRefusal(topUp(accountId, amount, "r"), /at most 4 decimals, such as 12.50/);
    }
    await expectRefusal(topUp(accountId, "9".repeat(60), "r"), /The largest amount is/);
    await operator.json(topUp(accountId, "90071992.5474", "all"));
    await expectRefusal(topUp(accountId, "1", "more"), /cannot hold more than/);
    await expectRefusal(topUp(accountId, "1", " "), /reference has 1 to 256 bytes/);
    await expectRefusal(topUp(UNKNOWN_ACCOUNT_ID, "1", "r"), /There is no account/);
    await expectRefusal(
      ["top-up", "--account", accountId, "--reference", "r"],
      /'--amount <usd>' not specified/,
    );
  });

  it("is adjusted up and down without an effect on the level", async () => {
    const accountId = await newAccount();
    await operator.json(adjust(accountId, "--amount", "+200"));
    const down = await operator.json(adjust(accountId, "--amount", "-5.00"));
    expect(down).toMatchObject({ amount: "-5.00", balance: "195.00", level: 1, note: "a correction" });
    expect((await operator.json(adjust(accountId, "--amount=-0.0001"))).balance).toBe("194.9999");
    expect((await operator.json(adjust(accountId, "--amount=10"))).balance).toBe("204.9999");
    expect(await operator.json(adjust(accountId, "--amount", "-5.00"))).toMatchObject({ repeated: true });
    await expectRefusal(adjust(accountId, "--amount", "-205"), /does not cover 205.00 USD/);
    await expectRefusal(adjust(accountId, "--amount", "0"), /other than zero/);
    await expectRefusal(adjust(accountId, "--amount", "+-5"), /such as \+12.50 or -3.25/);
    await expectRefusal(adjust(accountId, "--amount", "5").slice(0, -2), /required option '--note/);
  });

  it("is told by the ledger, newest entry first", async () => {
    const { accountId, orderId } = await withOrder();
    const [order, first] = await operator.json(["ledger", "--account", accountId]);
    expect(order).toMatchObject({
      sequence: 2,
      type: "order",
      amount: "-5.00",
      balance: "95.00",
      reference: orderId,
    });
    expect(first).toMatchObject({ sequence: 1, type: "top_up", amount: "100.00", balance: "100.00" });
    expect(await operator.json(["ledger", "--account", accountId, "--limit", "1"])).toEqual([order]);
    expect((await operator.run(["ledger", "--account", accountId])).stdout).toMatch(/order +-5\.00 +95\.00/);
    await expectRefusal(["ledger", "--account", UNKNOWN_ACCOUNT_ID], /no account/);
    await expectRefusal(["ledger", "--account", accountId, "--limit", "0"], /whole number from 1/);
    await expectRefusal(["ledger"], /required option '--account/);
  });
});

describe("products", () => {
  const create = (productId: string, ...options: string[]) => [
    "product",
    "create",
    "--id",
    productId,
    "--name",
    "Gift card",
    "--redeem-url",
    "https://redeem.example/gift",
    ...options,
  ];

  it("are created, priced, listed with stock, disabled and enabled", async () => {
    const created = await operator.json(create("gift-1", "--slug", "gift", "--stock-cap", "50"));
    expect(created).toMatchObject({ productId: "gift-1", slug: "gift", stockCap: 50, enabled: true });
    expect(created.prices.level1).toBeNull();
    const all = await operator.json(["product", "price", "gift-1", "--all", "9.5"]);
    expect(new Set(Object.values(all.prices))).toEqual(new Set(["9.50"]));
    const some = await operator.json(["product", "price", "gift-1", "--level2", "9", "--level5", "none"]);
    expect(some.prices).toEqual({
      level1: "9.50",
      level2: "9.00",
      level3: "9.50",
      level4: "9.50",
      level5: null,
    });
    await operator.json(["stock", "import", "--product", "gift-1", "--file", "-"], { stdin: "A\nB\n" });
    const listed = await operator.json(["product", "list"]);
    expect(listed).toContainEqual({ ...some, stock: 2 });
    expect((await operator.run(["product", "list"])).stdout).toMatch(
      /gift-1 +Gift card +yes +2 +9\.50 +9\.00/,
    );
    expect((await operator.json(["product", "disable", "gift-1"])).enabled).toBe(false);
    expect((await operator.json(["product", "enable", "gift-1"])).enabled).toBe(true);
    const moved = await operator.json(["product", "redeem-url", "gift-1", "https://redeem.example/new"]);
    expect(moved.redeemUrl).toBe("https://redeem.example/new");
  });

  it("are refused when something about them is wrong", async () => {
    await operator.json(create("taken"));
    await expectRefusal(create("taken"), /There is a product taken already/);
    await expectRefusal(create("no spaces"), /letters, digits, dots/);
    await expectRefusal(create("x", "--stock-cap", "0"), /whole number from 1/);
    await expectRefusal(create("x", "--redeem-url", "ftp://redeem.example"), /http or https/);
    await expectRefusal(["product", "redeem-url", "taken", "redeem.example"], /http or https/);
    await expectRefusal(["product", "enable", "unknown"], /There is no product "unknown"/);
    await expectRefusal(["product", "price", "unknown", "--all", "1"], /There is no product "unknown"/);
  });

  it("are priced in whole cents above zero, for all levels or for some", async () => {
    await operator.json(create("priced"));
    await expectRefusal(["product", "price", "priced", "--all", "1.005"], /whole cents/);
    await expectRefusal(["product", "price", "priced", "--level3", "0"], /level 3 must be whole cents/);
    await expectRefusal(["product", "price", "priced", "--level3", "50000.01"], /to 50000.00/);
    await expectRefusal(["product", "price", "priced"], /No price was given/);
    await expectRefusal(["product", "price", "priced", "--all", "1", "--level1", "2"], /exclude each other/);
    await expectRefusal(["product", "price", "priced", "--level6", "2"], /unknown option '--level6'/);
  });

  describe("that are bought on demand", () => {
    const supply = ["--supplier", "codes-inc", "--supplier-product", "ai-1m", "--max-cost", "8.5"];
    const onDemand = (productId: string, ...options: string[]) => [
      ...create(productId).slice(0, -2),
      "--stock-mode",
      "on_demand",
      ...options,
    ];

    beforeAll(async () => {
      for (const supplierId of ["codes-inc", "other-codes"]) {
        await services.suppliers.add({ supplierId, baseUrl: "http://127.0.0.1:1/shop/v1", apiKey: "key" });
      }
    });

    it("are created, listed and shown with their supplier and without a stock", async () => {
      const created = await operator.json(onDemand("ai-1", ...supply));
      expect(created).toMatchObject({
        productId: "ai-1",
        stockMode: "on_demand",
        redeemUrl: null,
        supply: { supplierId: "codes-inc", supplierProductId: "ai-1m", maxCost: "8.50" },
      });
      expect(await operator.json(["product", "list"])).toContainEqual({ ...created, stock: null });
      expect(await operator.json(["product", "show", "ai-1"])).toEqual({ ...created, stock: null });
      expect((await operator.run(["product", "list"])).stdout).toMatch(/^ai-1 .* on demand .* codes-inc$/m);
      const { stdout } = await operator.run(["product", "show", "ai-1"]);
      for (const line of [
        /^Redeem URL +the supplier's$/m,
        /^Supplier +codes-inc$/m,
        /^Supplier product +ai-1m$/m,
        /^Max cost USD +8\.50$/m,
        /^Stock +on demand$/m,
      ]) {
        expect(stdout).toMatch(line);
      }
    });

    it("have their supply changed part by part, and their redeem URL set and cleared", async () => {
      const created = await operator.json(
        onDemand("ai-2", ...supply, "--redeem-url", "https://redeem.example/ai"),
      );
      expect(created.redeemUrl).toBe("https://redeem.example/ai");
      const dearer = await operator.json(["product", "supply", "ai-2", "--max-cost", "9"]);
      expect(dearer).toEqual({ ...created, supply: { ...created.supply, maxCost: "9.00" } });
      const moved = ["--supplier", "other-codes", "--supplier-product", "ai-30-days"];
      expect((await operator.json(["product", "supply", "ai-2", ...moved])).supply).toEqual({
        supplierId: "other-codes",
        supplierProductId: "ai-30-days",
        maxCost: "9.00",
      });
      expect((await operator.json(["product", "redeem-url", "ai-2", "none"])).redeemUrl).toBeNull();
    });

    it("are refused when their supply is not whole, wrong, or not wanted", async () => {
      await expectRefusal(onDemand("x"), /needs --supplier, --supplier-product, --max-cost/);
      await expectRefusal(onDemand("x", ...supply.slice(0, 4)), /needs --max-cost/);
      await expectRefusal(create("x", ...supply), /has no supplier/);
      await expectRefusal(create("x", "--max-cost", "1"), /--max-cost was given/);
      await expectRefusal(create("x").slice(0, -2), /needs --redeem-url/);
      await expectRefusal(create("x", "--stock-mode", "magic"), /Allowed choices are inventory, on_demand/);
      await expectRefusal(onDemand("x", ...supply, "--supplier", "nobody"), /no supplier "nobody"/);
      await expectRefusal(onDemand("x", ...supply, "--max-cost", "0"), /above zero/);
      await expectRefusal(onDemand("x", ...supply, "--supplier-product", "a b"), /without spaces/);
      await expectRefusal(["product", "show", "x"], /There is no product "x"/);
    });

    it("are the only ones whose supply can be changed, to what is right", async () => {
      await operator.json(onDemand("ai-3", ...supply));
      await operator.json(create("plain"));
      const change = (productId: string, ...options: string[]) => [
        "product",
        "supply",
        productId,
        ...options,
      ];
      await expectRefusal(change("ai-3"), /None of --supplier/);
      await expectRefusal(change("ai-3", "--supplier", "nobody"), /no supplier "nobody"/);
      await expectRefusal(change("ai-3", "--max-cost", "50000.01"), /at most 50000.00/);
      await expectRefusal(change("unknown", "--max-cost", "1"), /There is no product "unknown"/);
      await expectRefusal(change("plain", "--max-cost", "1"), /plain sells imported codes/);
      await expectRefusal(["product", "redeem-url", "plain", "none"], /needs a redeem URL/);
      expect((await operator.json(["product", "show", "ai-3"])).supply.maxCost).toBe("8.50");
    });

    it("take no imported codes", async () => {
      await operator.json(onDemand("ai-4", ...supply));
      const imported = ["stock", "import", "--product", "ai-4", "--file", "-"];
      await expectRefusal(imported, /ai-4 is bought from a supplier .* no stock to import into/);
      expect(await operator.json(["stock", "list", "--product", "ai-4"])).toEqual([]);
    });
  });
});

describe("stock", () => {
  const importInto = (productId: string, file = "-") => [
    "stock",
    "import",
    "--product",
    productId,
    "--file",
    file,
  ];

  it("takes each code once, whatever the file looks like", async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    const file = join(folder, `${productId}.txt`);
    const lines = ["\u{FEFF}ONE\r\nTWO\r\n\r\nONE\r\n", "x".repeat(10_000), "\r\nBE\u{7}LL\nTH", "REE"];
    await writeFile(file, Buffer.concat([Buffer.from(lines.join("")), Buffer.from([0x0a, 0xff])]));
    const imported = await operator.json(importInto(productId, file));
    expect(imported).toMatchObject({ productId, imported: 3, duplicates: 1, invalid: 3 });
    const again = await operator.json(importInto(productId, file));
    expect(again).toEqual({ productId, segmentId: null, imported: 0, duplicates: 4, invalid: 3 });
    const more = await operator.run(importInto(productId), { stdin: "ONE\nFOUR" });
    expect(more.stdout).toMatch(
      /^1 imported, 1 duplicate, 0 invalid\.\nThey are in stock now as segment seg_/,
    );
  });

  it("shows how far an import is on a terminal only", async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    const stdin = Array.from({ length: 2_500 }, (_, index) => `P-${index}`).join("\n");
    expect((await operator.run(importInto(productId), { stdin })).stderr).toBe("");
    const file = join(folder, `${productId}.txt`);
    await writeFile(file, `${stdin}\nP-NEW`);
    const watched = await operator.run([...importInto(productId, file), "--json"], { isTTY: true });
    expect(watched.stderr).toMatch(/\[#{30}\] 100% 1 imported, 2,500 duplicate, 0 invalid/);
    expect(watched.json.imported).toBe(1);
  });

  it("is not imported from what cannot be read, or into no product", async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    await expectRefusal(importInto(productId, "/no/such/file"), /there is no such file/);
    await expectRefusal(importInto(productId, folder), /it is a directory/);
    await expectRefusal(importInto("unknown"), /There is no product "unknown"/);
    await expectRefusal(["stock", "import", "--product", productId], /required option '--file/);
    expect(await operator.json(["stock", "list", "--product", productId])).toEqual([]);
  });

  it("is listed by segment and recalled once", async () => {
    const { productId } = await withOrder();
    const [segment] = await operator.json(["stock", "list", "--product", productId]);
    expect(segment).toMatchObject({ productId, state: "open", codes: 10, sold: 2, remaining: 8 });
    const recalled = await operator.json(["stock", "recall", segment.segmentId]);
    expect(recalled).toMatchObject({ ...segment, state: "recalled", remaining: 0, recalled: 8 });
    await expectRefusal(["stock", "recall", segment.segmentId], /nothing of it is left to recall/);
    await expectRefusal(["stock", "recall", `seg_${"0".repeat(32)}`], /There is no segment/);
    await expectRefusal(["stock", "list", "--product", "unknown"], /There is no product/);
    const catalog: { productId: string; stock: number }[] = await operator.json(["product", "list"]);
    expect(catalog.find((product) => product.productId === productId)?.stock).toBe(0);
  });
});

describe("orders", () => {
  it("are listed and shown without their codes", async () => {
    const { accountId, productId, codes, orderId } = await withOrder();
    const shown = await operator.json(["order", "show", orderId]);
    expect(shown).toMatchObject({
      orderId,
      accountId,
      qty: 2,
      unitPrice: "2.50",
      amount: "5.00",
      status: "delivered",
    });
    for (const filter of [
      ["--account", accountId],
      ["--product", productId],
      ["--account", accountId, "--status", "delivered"],
    ]) {
      expect(await operator.json(["order", "list", ...filter])).toEqual([shown]);
    }
    expect(await operator.json(["order", "list", "--account", accountId, "--status", "failed"])).toEqual([]);
    const outputs: Ran[] = [
      await operator.run(["order", "show", orderId]),
      await operator.run(["order", "show", orderId, "--json"]),
      await operator.run(["order", "list"]),
      await operator.run(["stock", "list", "--product", productId]),
    ];
    for (const { stdout } of outputs) {
      for (const code of codes) expect(stdout).not.toContain(code);
      expect(stdout).not.toContain("\u{1B}");
    }
    expect(outputs[0]?.stdout).toContain("first\\u{1b}[2J");
  });

  it("are listed as many as asked for", async () => {
    const { orderId } = await withOrder();
    expect(await operator.json(["order", "list", "--limit", "1"])).toMatchObject([{ orderId }]);
    await expectRefusal(["order", "list", "--limit", "x"], /whole number/);
    await expectRefusal(["order", "list", "--status", "gone"], /Allowed choices are processing/);
    await expectRefusal(["order", "list", "--account", UNKNOWN_ACCOUNT_ID], /no account/);
    await expectRefusal(["order", "list", "--product", "unknown"], /no product/);
    await expectRefusal(["order", "show", `ord_${"0".repeat(32)}`], /There is no order/);
    await expectRefusal(["order", "show", "17"], /ord_ and 32 hex digits/);
  });

  it("are refunded once", async () => {
    const { orderId, accountId } = await withOrder();
    const refund = ["order", "refund", orderId, "--reason", "codes did not work"];
    const first = await operator.json(refund);
    expect(first).toMatchObject({
      orderId,
      status: "refunded",
      amount: "5.00",
      balance: "100.00",
      repeated: false,
    });
    expect(await operator.json(refund)).toEqual({ ...first, repeated: true });
    const [entry] = await operator.json(["ledger", "--account", accountId]);
    expect(entry).toMatchObject({
      type: "refund",
      amount: "5.00",
      reference: orderId,
      note: "codes did not work",
    });
    await expectRefusal(refund.slice(0, 3), /required option '--reason/);
    await expectRefusal(["order", "refund", `ord_${"0".repeat(32)}`, "--reason", "r"], /There is no order/);
  });
});

describe("the audit", () => {
  it("passes on clean books and fails on others, with the rows in question", async () => {
    const accountId = await services.addAccount("100");
    const clean = await operator.run(["audit", "--json"]);
    expect(clean).toMatchObject({ exitCode: 0, stderr: "" });
    expect(clean.json.ok).toBe(true);
    const shift = (amount: number) =>
      services.database.change(
        "UPDATE accounts SET balance_microcents = balance_microcents + ? WHERE account_id = ?",
        [amount, accountId],
      );
    await shift(1);
    const [json, table] = [await operator.run(["audit", "--json"]), await operator.run(["audit"])];
    await shift(-1);
    for (const { exitCode, stderr } of [json, table]) {
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/do not agree: balance_is_the_sum_of_its_entries[\s\S]*Next step/);
    }
    expect(json.json.ok).toBe(false);
    expect(json.json.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([
      {
        name: "balance_is_the_sum_of_its_entries",
        ok: false,
        rows: [
          { account_id: accountId, balance_microcents: "10000000001", entries_microcents: "10000000000" },
        ],
      },
    ]);
    expect(table.stdout).toMatch(/balance_is_the_sum_of_its_entries +FAILED +1/);
    expect(table.stdout).toContain(`account_id=${accountId}`);
  });
});

describe("the command line", () => {
  it("says in short that codes cannot be encrypted, without a stack and without the codes", async () => {
    const { productId } = await services.addProduct({ codes: 1 });
    const env = {
      DATABASE_URL: services.databaseUrl,
      CODE_ENCRYPTION_KEYS: `other:${Buffer.alloc(32).toString("base64")}`,
    };
    const file = join(folder, "codes.txt");
    await writeFile(file, "SECRET-CODE");
    const args = ["stock", "import", "--product", productId, "--file", file];
    const short = await runInProcess(args, env);
    expect(short).toMatchObject({ exitCode: 1, stdout: "" });
    expect(short.stderr).not.toContain("SECRET-CODE");
    expect(short.stderr).toMatch(
      /^error: CODE_ENCRYPTION_KEYS does not hold .*\nNext step: set CODE_ENCRYPTION_KEYS .*\n$/,
    );
  });

  it("takes --json wherever it stands", async () => {
    const accountId = await newAccount();
    for (const args of [
      ["--json", "account", "show", accountId],
      ["account", "--json", "show", accountId],
      ["account", "show", "--json", accountId],
    ]) {
      expect((await operator.run(args)).json).toMatchObject({ accountId });
    }
  });

  it("explains every command with examples", async () => {
    const commands =
      "account create,account list,account show,account suspend,account resume,key create,key list,key caps,key revoke," +
      "top-up,adjust,product create,product price,product supply,product list,product show,product enable,product disable,product redeem-url," +
      "stock import,stock list,stock recall,order list,order show,order refund,order stuck,order resolve,order give-up," +
      "supplier add,supplier list,supplier show,supplier set,supplier enable,supplier disable,reconcile,ledger,audit";
    for (const command of commands.split(",")) {
      const help = await operator.run([...command.split(" "), "--help"]);
      expect(help).toMatchObject({ exitCode: 0, stderr: "" });
      expect(help.stdout).toContain(`Usage: npm run -s operator -- ${command}`);
      expect(help.stdout).toContain("--json");
      expect(help.stdout).toContain(`Examples:\n  npm run -s operator -- ${command}`);
    }
    expect((await operator.run(["--help"])).stdout).toContain("top-up");
  });

  it("says how to do it right when a command is none", async () => {
    await expectRefusal(["acount", "list"], /unknown command 'acount'[\s\S]*Did you mean account/);
    await expectRefusal(["account", "lst"], /unknown command 'lst'/);
    await expectRefusal(["audit", "--verbose"], /unknown option '--verbose'/);
    for (const args of [[], ["account"], ["--json"]]) {
      const ran = await operator.run(args);
      expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
      expect(ran.stderr).toContain("Usage:");
    }
  });

  it("says what to check when the database or the configuration is at fault", async () => {
    const keys = `test:${Buffer.alloc(32).toString("base64")}`;
    const url = (part: Partial<URL>) => Object.assign(new URL(services.databaseUrl), part).href;
    const failing = async (env: NodeJS.ProcessEnv) => {
      const ran = await runInProcess(["account", "list", "--json"], env);
      expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
      expect(ran.stderr).not.toContain("secret-password");
      return ran.stderr;
    };
    expect(await failing({})).toMatch(/DATABASE_URL is required[\s\S]*CODE_ENCRYPTION_KEYS is required/);
    const nowhere = "mysql://user:secret-password@127.0.0.1:1/shop";
    const unreachable = await failing({ DATABASE_URL: nowhere, CODE_ENCRYPTION_KEYS: keys });
    expect(unreachable).toMatch(
      /127.0.0.1:1\/shop cannot be reached \(ECONNREFUSED\)[\s\S]*check that it runs/,
    );
    expect(unreachable).not.toContain("    at ");
    expect(await failing({ DATABASE_URL: nowhere, CODE_ENCRYPTION_KEYS: keys, DEBUG: "1" })).toContain(
      "    at ",
    );
    const noDatabase = url({ pathname: "/not_there" });
    expect(await failing({ DATABASE_URL: noDatabase, CODE_ENCRYPTION_KEYS: keys })).toMatch(
      /has no database/,
    );
    const otherSchema = url({ pathname: "/mysql" });
    expect(await failing({ DATABASE_URL: otherSchema, CODE_ENCRYPTION_KEYS: keys })).toMatch(
      /npm run migrate/,
    );
    const otherUser = url({ username: "nobody", password: "secret-password" });
    expect(await failing({ DATABASE_URL: otherUser, CODE_ENCRYPTION_KEYS: keys })).toMatch(
      /refuses the user|cannot/,
    );
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { runInProcess, type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

let services: TestServices;
let simulator: SupplierSimulator;
let operator: TestOperator;
let folder: string;
let keyFile: string;

beforeAll(async () => {
  services = await openTestServices();
  simulator = await startSupplierSimulator({ balance: "250.5", apiKey: "svc_sk_ours_there" });
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  folder = await mkdtemp(join(tmpdir(), "supplier-commands-"));
  keyFile = join(folder, "acme.key");
  await writeFile(keyFile, `${simulator.apiKey}\n`);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await simulator.close();
  await services.dispose();
});

let count = 0;
const newId = () => `supplier-${++count}`;

const adding = (id: string, baseUrl = simulator.url, file = keyFile) => [
  ...["supplier", "add", "--id", id],
  ...["--base-url", baseUrl, "--key-file", file],
];

async function added(): Promise<string> {
  const id = newId();
  await operator.json(adding(id));
  return id;
}

async function expectRefusal(args: string[], reason: RegExp, stdin = ""): Promise<void> {
  for (const ran of [
    await operator.run(args, { stdin }),
    await operator.run([...args, "--json"], { stdin }),
  ]) {
    expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
    expect(ran.stderr).toMatch(reason);
    expect(ran.stderr).toMatch(/^Next step: /m);
    expect(ran.stderr).not.toContain(simulator.apiKey);
  }
}

describe("supplier add", () => {
  it("takes the key from a file, or from standard input, without the end of its line", async () => {
    const id = newId();
    expect(await operator.json(adding(id, `${simulator.url}/`))).toEqual({
      supplierId: id,
      baseUrl: simulator.url,
      status: "active",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    for (const end of ["", "\n", "\r\n"]) {
      const other = newId();
      await operator.json(adding(other, simulator.url, "-"), { stdin: simulator.apiKey + end });
      expect(await operator.json(["supplier", "show", other])).toMatchObject({ fault: null });
    }
    expect(await operator.json(["supplier", "show", id])).toMatchObject({ fault: null });
  });

  it("never shows the key", async () => {
    const id = newId();
    const shown = [
      await operator.run(adding(id)),
      await operator.run(["supplier", "set", id, "--key-file", keyFile]),
      await operator.run(["supplier", "show", id]),
      await operator.run(["supplier", "show", id, "--json"]),
      await operator.run(["supplier", "list", "--json"]),
    ];
    for (const { exitCode, stdout, stderr } of shown) {
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).not.toContain(simulator.apiKey);
    }
  });

  it("refuses an id that is taken or unfit, and what is no base URL", async () => {
    const id = await added();
    await expectRefusal(
      adding(id),
      new RegExp(`There is a supplier ${id} already[\\s\\S]*Next step: .*supplier list`),
    );
    await expectRefusal(adding("Acme Inc"), /lower-case letters, digits and dashes/);
    for (const url of ["codes.example", "ftp://codes.example", "https://u:p@codes.example/shop/v1"])
      await expectRefusal(adding(newId(), url), /absolute http or https URL/);
  });

  it("refuses a file that cannot be read, and what is no key", async () => {
    await expectRefusal(adding(newId(), simulator.url, join(folder, "none")), /there is no such file/);
    await expectRefusal(adding(newId(), simulator.url, folder), /it is a directory/);
    for (const stdin of ["", "\n", `${simulator.apiKey}\n${simulator.apiKey}\n`, "a b", "x".repeat(600)])
      await expectRefusal(adding(newId(), simulator.url, "-"), /API key has 1 to 512 ASCII/, stdin);
    await expectRefusal(
      adding(newId(), simulator.url, "-"),
      /is too large to be an API key/,
      "x".repeat(10_000),
    );
    await expectRefusal(adding(newId()).slice(0, -2), /required option '--key-file/);
  });

  it("refuses encryption keys that are not the server's, under which nobody could read the key", async () => {
    await services.addProduct({ codes: 1 });
    const env = {
      DATABASE_URL: services.databaseUrl,
      CODE_ENCRYPTION_KEYS: `other:${Buffer.alloc(32).toString("base64")}`,
    };
    const id = newId();
    const ran = await runInProcess(adding(id), env);
    expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
    expect(ran.stderr).toMatch(/Next step: set CODE_ENCRYPTION_KEYS to what the server runs with/);
    await expectRefusal(["supplier", "show", id], /There is no supplier/);
  });
});

describe("supplier list and show", () => {
  it("list all, by id", async () => {
    const [a, b] = [await added(), await added()];
    const listed: { supplierId: string }[] = await operator.json(["supplier", "list"]);
    const ids = listed.map(({ supplierId }) => supplierId);
    expect(ids).toEqual(expect.arrayContaining([a, b]));
    expect(ids).toEqual([...ids].sort());
    expect((await operator.run(["supplier", "list"])).stdout).toMatch(
      new RegExp(`^Supplier +Status +Base URL +Created\n[\\s\\S]*${a} +active +http`),
    );
  });

  it("show what we have there", async () => {
    const id = await added();
    expect(await operator.json(["supplier", "show", id])).toMatchObject({
      supplierId: id,
      baseUrl: simulator.url,
      status: "active",
      available: "250.50",
      fault: null,
    });
    expect((await operator.run(["supplier", "show", id])).stdout).toMatch(
      /Answers +yes\nOur balance there USD +250\.50/,
    );
  });

  it("say what is wrong when it does not answer or does not accept us", async () => {
    const id = await added();
    const show = async () => await operator.json(["supplier", "show", id]);
    await services.suppliers.setAccess(id, { apiKey: "svc_sk_wrong" });
    expect(await show()).toMatchObject({ available: null, fault: expect.stringMatching(/401 unauthorized/) });
    const gone = await startSupplierSimulator();
    await gone.close();
    await services.suppliers.setAccess(id, { baseUrl: gone.url });
    expect(await show()).toMatchObject({ available: null, fault: expect.stringMatching(/ECONNREFUSED/) });
    expect((await operator.run(["supplier", "show", id])).stdout).toMatch(
      /Answers +no: .*ECONNREFUSED\nOur balance there USD +-/,
    );
  });

  it("say that a key cannot be read", async () => {
    const id = await added();
    await services.database.change("UPDATE suppliers SET api_key_ciphertext = 'x' WHERE supplier_id = ?", [
      id,
    ]);
    expect(await operator.json(["supplier", "show", id])).toMatchObject({
      fault: expect.stringMatching(/cannot be read/),
    });
    await operator.json(["supplier", "set", id, "--key-file", keyFile]);
    expect(await operator.json(["supplier", "show", id])).toMatchObject({ fault: null });
  });
});

describe("supplier set, disable and enable", () => {
  it("change address and key, one or both", async () => {
    const id = await added();
    const other = await startSupplierSimulator({ apiKey: "svc_sk_other", balance: "1" });
    const moved = await operator.json(["supplier", "set", id, "--base-url", other.url, "--key-file", "-"], {
      stdin: "svc_sk_other\n",
    });
    expect(moved).toMatchObject({ supplierId: id, baseUrl: other.url });
    expect(await operator.json(["supplier", "show", id])).toMatchObject({ available: "1.00" });
    await operator.json(["supplier", "set", id, "--base-url", simulator.url]);
    expect(await operator.json(["supplier", "show", id])).toMatchObject({ available: null });
    await operator.json(["supplier", "set", id, "--key-file", keyFile]);
    expect(await operator.json(["supplier", "show", id])).toMatchObject({ available: "250.50" });
    await other.close();
  });

  it("change neither without --same-account while something is bought there", async () => {
    const { productId, supplierId } = await addOnDemandProduct(services, { simulator });
    const caller = await services.keys.authenticate((await services.addKey(await services.addAccount())).key);
    if (caller === null) throw new Error("The key is not known.");
    const order = { caller, externalOrderId: "order", productId, qty: 1, expectedUnitPrice: null };
    simulator.fault({ kind: "cut_after", times: null });
    await services.orders.place(order).catch(() => {});
    simulator.clearFaults();
    const [placed] = await services.orderAdministration.search({ productId, status: "processing" }, 1);
    const setting = ["supplier", "set", supplierId, "--base-url", `${simulator.url}/`];
    for (const args of [setting, ["supplier", "set", supplierId, "--key-file", keyFile]]) {
      await expectRefusal(
        args,
        /1 order is processing .*the same account there, or what is under way could be bought twice\.\nNext step: give --same-account/,
      );
    }
    await operator.json([...setting, "--same-account"]);
    if (placed === undefined) throw new Error("No order is processing.");
    expect(await services.orderAdministration.resolve(placed.orderId)).toMatchObject({
      order: { status: "delivered" },
    });
    await operator.json(setting);
    expect((await operator.run(["supplier", "set", "--help"])).stdout).toContain("could be bought twice");
  });

  it("take a supplier out and put it back, however often", async () => {
    const id = await added();
    for (const [command, status] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "active"],
      ["enable", "active"],
    ] as const) {
      expect(await operator.json(["supplier", command, id])).toMatchObject({ supplierId: id, status });
      expect(await services.suppliers.get(id)).toMatchObject({ status });
    }
  });

  it("are refused for a supplier that is none, or with nothing to change", async () => {
    for (const command of ["show", "enable", "disable"])
      await expectRefusal(
        ["supplier", command, "nobody"],
        /There is no supplier "nobody"[\s\S]*Next step: .*supplier list/,
      );
    await expectRefusal(
      ["supplier", "set", "nobody", "--key-file", keyFile],
      /There is no supplier "nobody"/,
    );
    await expectRefusal(["supplier", "set", await added()], /Neither --base-url nor --key-file was given/);
    await expectRefusal(["supplier", "set", await added(), "--base-url", "x"], /absolute http or https URL/);
  });
});

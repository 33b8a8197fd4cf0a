import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningProgram } from "../testing/program.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
let operator: TestOperator;

beforeAll(async () => {
  services = await openTestServices();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
});

afterAll(() => services.dispose());

const codesOf = (count: number) => Array.from({ length: count }, (_, index) => `CODE-${index}`);

/** Starts an import and feeds it until some codes are in the database, with its stdin left open. */
async function startImport(productId: string, codes: readonly string[]): Promise<RunningProgram> {
  const running = operator.start(["stock", "import", "--product", productId, "--file", "-", "--json"]);
  running.child.stdin?.write(`${codes.join("\n")}\n`);
  await expect.poll(() => importing(productId)).toBeGreaterThan(0);
  return running;
}

/** How many codes a product's unfinished import has stored. */
async function importing(productId: string): Promise<number> {
  const segments = await services.stock.list(productId);
  const segment = segments.find(({ state }) => state === "importing");
  return segment === undefined ? 0 : Number(segment.endSequence - segment.firstSequence);
}

/** Sets when the lease of a product's unfinished import ends. */
async function setLeaseEnd(productId: string, atMs: number): Promise<void> {
  await services.database.change(
    "UPDATE stock_segments SET lease_expires_at_ms = ? WHERE product_id = ? AND state = 'importing'",
    [atMs, productId],
  );
}

describe("the operator's program", () => {
  it("takes a shop from nothing to a sale, with one JSON value on stdout each time", async () => {
    const inProcessOfItsOwn = async (command: string, stdin?: string) => {
      const ran = await operator.spawn([...command.split(" "), "--json"], stdin);
      expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
      return ran.json;
    };
    // What the other commands tell is the same in this process.
    const call = (command: string) => operator.json(command.split(" "));
    const { accountId } = await inProcessOfItsOwn("account create --name Acme");
    const { key } = await call(`key create --account ${accountId} --kind product_ordering`);
    await call(`top-up --account ${accountId} --amount 20.00 --reference invoice-1`);
    await call("product create --id gift --name Gift --redeem-url https://redeem.example");
    await call("product price gift --all 7.25");
    const codes = "A\nB\nC";
    expect(await inProcessOfItsOwn("stock import --product gift --file -", codes)).toMatchObject({
      imported: 3,
    });

    const caller = await services.keys.authenticate(key);
    if (caller === null) throw new Error("The new key is not accepted.");
    const request = { caller, externalOrderId: "1", productId: "gift", qty: 2, expectedUnitPrice: "7.25" };
    const { order } = await services.orders.place(request);
    expect(order.codes).toEqual(["A", "B"]);
    expect(await call(`order refund ${order.orderId} --reason returned`)).toMatchObject({ balance: "20.00" });
    expect(await inProcessOfItsOwn("audit")).toMatchObject({ ok: true });
  });

  it("ends with 1 and keeps stdout empty when it refuses", async () => {
    const refused = await operator.spawn(["account", "show", `acc_${"0".repeat(32)}`, "--json"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^error: There is no account[\s\S]*\nNext step: /);
  });

  it.each([
    ["its result", ["account", "list", "--json"], 0, ""],
    ["its help", ["--help"], 0, ""],
    ["the help of a command", ["account", "create", "--help"], 0, ""],
    ["the result of a failure", ["audit", "--codes", "--from", "nowhere"], 1, /^error: .*\nNext step: .*\n$/],
  ])("ends quietly when nobody reads %s", async (_what, args, exitCode, stderr) => {
    const { child, ended } = operator.start(args);
    child.stdout?.destroy();
    child.stdin?.end();
    expect(await ended).toMatchObject({
      exitCode,
      stderr: typeof stderr === "string" ? stderr : expect.stringMatching(stderr),
    });
  });
});

describe("an import", () => {
  it("that was killed half-way is repeated after its lease and brings every code once", async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    const codes = codesOf(5_000);
    const killed = await startImport(productId, codes.slice(0, 3_000));
    await killed.kill("SIGKILL");
    expect(await importing(productId)).toBeGreaterThan(0);
    // Until the test ends it.
    await setLeaseEnd(productId, Date.now() + 3_600_000);

    const repeated = operator.start(["stock", "import", "--product", productId, "--file", "-", "--json"]);
    repeated.child.stdin?.end(codes.join("\n"));
    await repeated.printed(/Waiting for it/);
    await setLeaseEnd(productId, 1);
    const { exitCode, stdout } = await repeated.ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ imported: 5_000, duplicates: 0, invalid: 0 });
    expect(await services.stock.list(productId)).toMatchObject([{ state: "open" }]);
    await services.expectCleanAudit();
  });

  it("waits while another one runs, and then finds its codes", async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    const codes = codesOf(2_500);
    const first = await startImport(productId, codes);
    const waiting = Promise.withResolvers<void>();
    // It asks at once, before the first one's lease can end.
    const second = operator.run(["stock", "import", "--product", productId, "--file", "-", "--json"], {
      stdin: [...codes, "NEW"].join("\n"),
      onStderr: (text) => void (text.includes("Waiting for it") && waiting.resolve()),
    });
    await waiting.promise;
    first.child.stdin?.end();
    const ends = await Promise.all([first.ended, second]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(ends.map(({ stdout }) => JSON.parse(stdout))).toMatchObject([
      { imported: 2_500, duplicates: 0 },
      { imported: 1, duplicates: 2_500 },
    ]);
  });

  it("that is recalled while it runs says so and sells nothing", async () => {
    const { productId } = await services.addProduct({ codes: 0 });
    const running = await startImport(productId, codesOf(2_500));
    const [segment] = await services.stock.list(productId);
    await operator.json(["stock", "recall", `${segment?.segmentId}`]);
    running.child.stdin?.end();
    const { exitCode, stdout, stderr } = await running.ended;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/was recalled or replaced while it ran[\s\S]*Next step: run the import again/);
    expect(stdout).toBe("");
  });
});

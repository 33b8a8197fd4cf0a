import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runProgram } from "../../server/testing/program.ts";
import { startTestShop, type TestShop } from "../../server/testing/test-shop.ts";
import { closeNow, originOf, serveLocally } from "../prism/local-server.ts";
import { GENERATORS, generateClients } from "./generate-clients.ts";
import { type Front, frontOf, nextMinorOf } from "./next-minor.ts";
import type { Report, Task } from "./programs/purchase.ts";

// The clients are generated once from the document of today and once from that of the next minor version, each beside a copy
// of the programs, and all of it is compiled in one run.
const root = resolve(import.meta.dirname, "../..");
const BASE_PATH = "/shop/v1";

let shop: TestShop;
let front: Front;
let server: Server;
let folder: string;

beforeAll(async () => {
  shop = await startTestShop();
  front = frontOf(new URL(shop.baseUrl).origin);
  server = await serveLocally(front.listener);
  folder = mkdtempSync(join(tmpdir(), "shop-clients-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const document = JSON.parse(readFileSync(join(root, "generated/ordering/openapi.json"), "utf8"));
  // Orval says what it has done.
  const log = vi.spyOn(console, "log").mockReturnValue();
  await prepare("today", document);
  await prepare("next-minor", nextMinorOf(document));
  log.mockRestore();
});

afterAll(async () => {
  closeNow(server);
  await shop.stop();
  rmSync(folder, { recursive: true });
});

async function prepare(version: string, document: object): Promise<void> {
  const programs = join(folder, version);
  cpSync(join(import.meta.dirname, "programs"), programs, { recursive: true });
  await generateClients(document, join(programs, "generated"), join(programs, "orval-sender.ts"));
}

test("they compile strictly, with the programs that use them", async () => {
  const compilerOptions = {
    target: "esnext",
    lib: ["esnext", "dom", "dom.iterable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const config = { compilerOptions, include: ["today", "next-minor"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  const { exitCode, stdout } = await runProgram(process.execPath, [compiler, "-p", folder]);
  expect(stdout).toBe("");
  expect(exitCode).toBe(0);
});

test.each([
  { clients: "today", service: "today" },
  { clients: "today", service: "next-minor" },
  { clients: "next-minor", service: "next-minor" },
])(
  "those of $clients buy, repeat, page and tell errors apart against the service of $service",
  async ({ clients, service }) => {
    front.isNextMinor = service === "next-minor";
    const prefix = `${clients}-${service}`;
    const reports = await run(clients, prefix);
    for (const [index, client] of GENERATORS.entries())
      expect({ client, ...reports[index] }).toEqual({
        client,
        price: "1.00",
        nextThresholdMicrocents: 50_000_000_000,
        codes: [expect.stringMatching(/^CODE-/), expect.stringMatching(/^CODE-/)],
        repeatedCodes: reports[index]?.codes,
        pages: [[`${prefix}-${client}-2`], [`${prefix}-${client}-1`]],
        errors: ["price_changed", "not_found", "unauthorized"],
      });
  },
);

/** Runs the programs of a version in a process of their own, each with an account of its own. */
async function run(version: string, prefix: string): Promise<Report[]> {
  const tasks = GENERATORS.map(async (client): Promise<Task & { client: string }> => {
    const { key } = await shop.addKey(await shop.addAccount());
    const { productId } = await shop.addProduct();
    const baseUrl = originOf(server) + BASE_PATH;
    return { client, baseUrl, apiKey: key, productId, prefix: `${prefix}-${client}` };
  });
  const main = join(folder, version, "main.ts");
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [
    main,
    JSON.stringify(await Promise.all(tasks)),
  ]);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}

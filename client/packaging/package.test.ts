import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../server/testing/test-shop.ts";
import { readmeProgram } from "../testing/readme-program.ts";
import { buildPackage } from "./build-package.ts";

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, "../../node_modules");
const MAX_BYTES = 44_000;

/** Everything that an installation of the client holds besides itself. */
const DEPENDENCIES = ["decimal.js", "eventsource-parser", "openapi-fetch", "openapi-typescript-helpers"];

let shop: TestShop;
let folder: string;
let built: string;
let project: string;
let tarball: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "client-package-"));
  [built, project] = [join(folder, "built"), join(folder, "project")];
  await buildPackage(built);
  await mkdir(project);
  const installed = await pack([built, ...DEPENDENCIES.map((name) => join(modules, name))]);
  [tarball = ""] = installed;
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...installed], { cwd: project });
  shop = await startTestShop();
});
afterAll(async () => {
  await shop.stop();
  await rm(folder, { recursive: true });
});

/** Packs packages as they would be published. @returns their tarballs. */
async function pack(packageFolders: readonly string[]): Promise<string[]> {
  const { stdout } = await run("npm", ["pack", ...packageFolders, "--ignore-scripts", "--silent"], {
    cwd: folder,
  });
  return stdout
    .trim()
    .split("\n")
    .map((file) => join(folder, file));
}

test("the package holds the client and nothing else, and is small", async () => {
  expect((await stat(tarball)).size).toBeLessThan(MAX_BYTES);
  const files = await readdir(built, { recursive: true, withFileTypes: true });
  const programs = files.filter((file) => file.isFile() && file.name.endsWith(".js"));
  const sizes = await Promise.all(
    programs.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
  const folders = new Set(
    files.filter((file) => file.isFile()).map((file) => file.parentPath.slice(built.length)),
  );
  // The contracts of the clients, of which each is in a file of its own.
  const contracts = globSync("*-client.ts", { cwd: resolve(import.meta.dirname, "..") }).map(
    (file) => `/dist/generated/${file.replace("-client.ts", "")}`,
  );
  expect([...folders].sort()).toEqual(["", "/dist/client", ...contracts].sort());
});

test("it imports nothing but what it names", async () => {
  const imported = new Set<string>();
  for (const name of await readdir(join(built, "dist/client"))) {
    const text = await readFile(join(built, "dist/client", name), "utf8");
    for (const [, module = ""] of text.matchAll(/(?:from|import\()\s*"([^".][^"]*)"/g)) imported.add(module);
  }
  const packages = [...imported].filter((name) => !name.startsWith("node:")).sort();
  expect(packages).toEqual(["decimal.js", "eventsource-parser/stream", "openapi-fetch"]);
});

test("installed without network in an empty project, it buys codes", async () => {
  expect((await readdir(join(project, "node_modules"))).filter((name) => !name.startsWith("."))).toEqual(
    [...DEPENDENCIES, "prepaid-code-shop-client"].sort(),
  );
  await writeFile(join(project, "program.js"), await readmeProgram());
  const { stdout } = await run(process.execPath, ["program.js"], {
    cwd: project,
    env: { ...process.env, SHOP_URL: shop.baseUrl, SHOP_API_KEY: shop.orderingKey },
  });
  expect(stdout.match(/^Redeem CODE-\w+ at https:\/\/redeem.example\/here$/gm)).toHaveLength(2);
});

test("its declarations are found, and catch what does not fit the contract", async () => {
  const compilerOptions = {
    module: "nodenext",
    strict: true,
    noEmit: true,
    typeRoots: [join(modules, "@types")],
  };
  const program = (order: string) => `
    import { createFileStore, createOrderingClient, createPurchases } from "prepaid-code-shop-client";
    const client = createOrderingClient({ baseUrl: "https://shop.example/shop/v1", apiKey: "svc_sk_a" });
    const outcome = await createPurchases({ client, store: createFileStore("a") }).purchase(${order});
    if (outcome.kind === "delivered") console.log(outcome.codes.map(({ redeemUrl }) => redeemUrl.length));
    else if (outcome.kind === "refused") console.log(outcome.error satisfies string);
    const { data } = await client.listProducts();
    console.log(data?.products[0]?.price satisfies string | undefined);
  `;
  await writeFile(join(project, "right.ts"), program('{ productId: "pen", qty: 1 }'));
  await writeFile(join(project, "wrong.ts"), program('{ productId: "pen", quantity: 1 }'));
  await writeFile(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, types: ["node"] }, include: ["*.ts"] }),
  );
  const compiler = join(modules, "typescript-native/bin/tsc");
  const compiled = await run(process.execPath, [compiler, "-p", project]).catch((error) => error);
  expect(compiled.stdout.trim().split("\n")).toEqual([
    expect.stringMatching(/^.*wrong\.ts\(4,\d+\): error TS2353/),
  ]);
});

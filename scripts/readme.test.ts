import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type DatabaseEnvironment,
  openDatabaseEnvironment,
} from "../server/embedded-database/database-environment.ts";
import { startSupplierSimulator } from "../server/simulators/supplier/supplier-simulator.ts";
import { type RunningProgram, startProgram } from "../server/testing/program.ts";
import { runInProcess } from "../server/testing/test-operator.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
const OPERATOR = "npm run -s operator --";
const DAY_MS = 86_400_000;

let folder: string;
let shop: RunningProgram;
let printed: string;
let env: NodeJS.ProcessEnv;
let database: DatabaseEnvironment;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "readme-"));
  env = { ...process.env, DATA_DIR: join(folder, "data"), PORT: "0", ADMIN_PORT: "0", OPERATOR_PORT: "0" };
  shop = startProgram("npm", ["start"], { cwd: root, env, leadsGroup: true });
  await shop.printed(/Ctrl-C stops the shop\./);
  printed = shop.output();
  database = await openDatabaseEnvironment(env, () => {});
});

afterAll(async () => {
  await database.close();
  // As a terminal does on Ctrl-C: to npm and to everything that it started.
  await shop.kill("SIGINT");
  await rm(folder, { recursive: true });
});

/** The lines of a Markdown file that stand below `<!-- tested: NAME -->`. */
async function blockOf(file: string, name: string): Promise<string> {
  const text = await readFile(join(root, file), "utf8");
  const block = new RegExp(`<!-- tested: ${name} -->\\n\`\`\`\\w+\\n(.*?)\`\`\``, "s").exec(text)?.[1];
  if (block === undefined) throw new Error(`${file} has no block ${name}.`);
  return block;
}

async function shell(lines: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: folder, env: { ...env, ...more } };
  return (await run("bash", ["-euo", "pipefail", "-c", lines], options)).stdout;
}

function found(pattern: RegExp, text: string): string {
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`${pattern} is not in:\n${text}`);
  return match;
}

/** Runs lines of curl, each of which answers with JSON. */
async function curl(block: string): Promise<unknown[]> {
  const lines = block
    .replaceAll(/^curl ([^\n]*[^\\\n])$/gm, "curl $1; echo")
    .replaceAll(/^( {2}-d .*)$/gm, "$1; echo");
  return (await shell(lines))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A buyer's lines, for this shop. */
async function buyerBlockOf(file: string): Promise<string> {
  return (await blockOf(file, "buyer"))
    .replace(/SHOP_URL=\S+/, `SHOP_URL=${found(/Ordering interface\s+(\S+)/, printed)}`)
    .replace(/SHOP_API_KEY=\S+/, `SHOP_API_KEY=${found(/product_ordering\s+(svc_sk_\S+)/, printed)}`);
}

test("the buyer's lines of the README buy two codes, once", async () => {
  const block = await buyerBlockOf("README.md");
  const [, first] = await curl(block);
  expect(first).toMatchObject({ externalOrderId: "first-purchase", status: "delivered", reused: false });
  const [, again] = await curl(block);
  expect(again).toEqual({ ...(first as object), reused: true });
});

test("the lines of the buyers' manual buy two codes, and find them again", async () => {
  expect(await curl(await buyerBlockOf("spec/ordering/README.md"))).toMatchObject([
    { products: expect.any(Array) },
    { available: true, qty: 2 },
    { externalOrderId: "purchase-0001", status: "delivered", reused: false },
    { orders: [{ externalOrderId: "purchase-0001", codes: [] }] },
    { currency: "USD" },
  ]);
});

test("the program of the callers' manual talks to a model through the vendor's SDK", async () => {
  const program = (await blockOf("spec/proxy/README.md", "caller-program")).replace(
    /baseURL: "[^"]+"/,
    `baseURL: "${proxyUrl()}"`,
  );
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "program.mjs"), program);
  const said = await shell(`${process.execPath} program.mjs`, { SHOP_API_KEY: generalKey() });
  expect(said).toBe("Say hello to the shop.\n6 tokens in, 5 out\n");
});

/** A caller's lines, for this shop. */
async function callerBlockOf(file: string): Promise<string> {
  return (await blockOf(file, "caller"))
    .replace(/PROXY_URL=\S+/, `PROXY_URL=${proxyUrl()}`)
    .replace(/SHOP_API_KEY=\S+/, `SHOP_API_KEY=${generalKey()}`);
}

test("the caller's lines of the README call a model, and see what it cost", async () => {
  expect(await curl(await callerBlockOf("README.md"))).toMatchObject([
    { type: "message", content: [{ type: "text", text: "Hello!" }] },
    { data: [{ model: "sim-echo", outcome: "completed" }] },
  ]);
});

test("the lines of the callers' manual use every operation of the AI proxy", async () => {
  const answers = await curl(await callerBlockOf("spec/proxy/README.md"));
  const [, , , , { data: calls }, { data: entries }] = expectAnswers(answers);
  expect(calls[0]).toMatchObject({ model: "sim-echo", outcome: "completed" });
  expect(entries[0]).toMatchObject({ type: "call", amount_microcents: -calls[0].amount_microcents });
});

// biome-ignore lint/suspicious/noExplicitAny: the test asserts on whatever came.
function expectAnswers(answers: unknown[]): any[] {
  expect(answers).toMatchObject([
    { data: expect.arrayContaining([expect.objectContaining({ id: "sim-echo" })]) },
    { type: "message", content: [{ type: "text", text: "Hello!" }] },
    { input_tokens: 2 },
    { account: { status: "active" }, key: { status: "active" } },
    { data: expect.any(Array) },
    { data: expect.any(Array) },
  ]);
  return answers;
}

function proxyUrl(): string {
  return found(/AI proxy\s+(\S+)/, printed);
}

function generalKey(): string {
  return found(/general\s+(svc_sk_\S+)/, printed);
}

/** The key that the first requests of each interface need; all else stands in the page itself. */
const guideKeys = (): Record<string, string> => ({
  ordering: found(/product_ordering\s+(svc_sk_\S+)/, printed),
  proxy: generalKey(),
});

/** What each first request of the guide shows, in every language. */
const guideOutcomes: Readonly<Record<string, RegExp>> = {
  listProducts: /demo-ai-month/,
  createOrder: /DEMO-[A-Z0-9-]+/,
  listModels: /sim-echo/,
  createMessage: /Say hello\./,
};

const languages: Readonly<Record<string, { file: string; command: string }>> = {
  curl: { file: "sample.sh", command: "bash sample.sh" },
  TypeScript: { file: "sample.ts", command: `${process.execPath} sample.ts` },
  Python: { file: "sample.py", command: "python3 sample.py" },
};
const hasPython = spawnSync("python3", ["--version"]).status === 0;

test("the first requests of the guide run as they stand, in every language", async () => {
  // Other tests of this file have bought for the demo's money.
  const accounts: { accountId: string; name: string }[] = await json("account list");
  const demo = accounts.find(({ name }) => /demo/i.test(name));
  await json(`top-up --account ${demo?.accountId} --amount 1000 --reference guide`);
  const guide = await (await fetch(`${proxyUrl()}/docs/`)).text();
  const seen = new Set<string>();
  for (const [name, key] of Object.entries(guideKeys())) {
    const [settings = ""] = codeIn(guide.slice(guide.indexOf(`id="${name}-first"`)));
    const lines = settings.replace(/(?<=export SHOP_API_KEY=)\S+/, key);
    for (const [, operation = "", language = ""] of guide.matchAll(
      new RegExp(`name="${name}-(\\w+)" id="[^"]*" data-language="(\\w+)"`, "g"),
    )) {
      if (language === "Python" && !hasPython) continue;
      const { file = "", command = "" } = languages[language] ?? {};
      await writeFile(join(folder, file), sampleIn(guide, `${name}-${operation}`, language));
      const said = await shell(`${lines}\n${command}`);
      expect(said, `${operation} in ${language}`).toMatch(guideOutcomes[operation] ?? /^$/);
      seen.add(operation);
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(guideOutcomes).sort());
  // Another interface that shows first requests has to say above what they need.
  const shown = [...guide.matchAll(/id="([\w-]+)-first"/g)].map(([, name]) => name);
  expect(shown).toEqual(Object.keys(guideKeys()));
});

/** The code of a request in one of its languages. */
function sampleIn(guide: string, group: string, language: string): string {
  const tabs = [...guide.matchAll(new RegExp(`name="${group}" id="[^"]*" data-language="(\\w+)"`, "g"))];
  const index = tabs.findIndex(([, label]) => label === language);
  return codeIn(guide.slice(tabs.at(-1)?.index))[index] ?? "";
}

/** The blocks of code in a part of a page, as a browser would copy them. */
function codeIn(part: string): string[] {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return [...part.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, code = ""]) =>
    code
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/&([a-z]+|#39);/g, (entity, name: string) => characters[name] ?? entity),
  );
}

test("the operator's lines of the README open an account with money and a key", async () => {
  const block = await blockOf("README.md", "operator");
  const told = await shell(block.replaceAll(OPERATOR, `npm run -s --prefix ${root} operator --`));
  expect(told).toMatch(/250\.00/);
  expect(told).toMatch(/svc_sk_/);
});

const manualBlockOf = (name: string) => blockOf("server/operator/README.md", name);

/**
 * Runs the lines of the operators' manual in this process, where a command takes a tenth of what it takes in one of its own;
 * the README's lines, which a shell runs, have that.
 * @param mayRefuse the line that may end with a refusal, which is then what it prints
 * @returns what they have printed
 */
async function operate(
  lines: string,
  variables: Readonly<Record<string, string>> = {},
  mayRefuse: RegExp | null = null,
): Promise<string> {
  let told = "";
  for (const line of lines.replaceAll("\\\n", " ").trim().split("\n")) {
    const { exitCode, stdout, stderr } = await runInProcess(wordsOf(line, variables), database.env);
    if (!mayRefuse?.test(line)) expect(exitCode, `${line}\n${stderr}`).toBe(0);
    told += exitCode === 0 ? stdout : stderr;
  }
  return told;
}

/** What stands behind the operator's name on a line, as a shell would split it. */
function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  expect(line.startsWith(`${OPERATOR} `), line).toBe(true);
  const words = line.slice(OPERATOR.length).match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  return words.map((word) =>
    word.replaceAll('"', "").replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`Nothing sets ${name}: ${line}`);
      return value;
    }),
  );
}

/** What an operator's command tells programs. */
async function json(command: string) {
  return JSON.parse(await operate(`${OPERATOR} ${command} --json`));
}

test("the lines of the operators' manual run a shop, beside the service", async () => {
  await writeFile(join(folder, "codes.txt"), "README-1\nREADME-2\nREADME-2\n");
  const { accountId: ACCOUNT } = await json("account create --name First");
  const block = (await manualBlockOf("operator")).replaceAll("codes.txt", join(folder, "codes.txt"));
  expect(await operate(block, { ACCOUNT })).toContain("ai-pro-1m");
  const products: { productId: string }[] = await json("product list");
  expect(products.map(({ productId }) => productId)).toContain("ai-pro-1m");
  expect(await json("audit")).toMatchObject({ ok: true });
});

test("the lines of the operators' manual offer models", async () => {
  const { accountId: ACCOUNT } = await json("account create --name Third");
  const told = await operate(await manualBlockOf("models"), { ACCOUNT });
  expect(told).toMatch(/svc_sk_/);
  expect(await json("model list")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ modelId: "large-1", enabled: true, maxOutput: 64_000 }),
      expect.objectContaining({ modelId: "small-1", enabled: false }),
    ]),
  );
});

test("the lines of the operators' manual buy on demand, and settle an order that has no result", async () => {
  const products = [{ productId: "max-month", unitPrice: "80.00" }];
  const supplier = await startSupplierSimulator({ products });
  onTestFinished(() => supplier.close());
  await writeFile(join(folder, "acme.key"), supplier.apiKey);
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const block = (await manualBlockOf("supplier"))
    .replace(/--base-url \S+/, `--base-url ${supplier.url}`)
    .replace("acme.key", join(folder, "acme.key"))
    .replace(/--from \S+ --to \S+/, `--from ${day(Date.now() - DAY_MS)} --to ${day(Date.now() + DAY_MS)}`);
  const settingUp = block.slice(0, block.indexOf(`${OPERATOR} order stuck`));
  const lookingAfter = block.slice(settingUp.length);
  expect(await operate(settingUp)).toMatch(/^Answers +yes$/m);

  const { accountId } = await json("account create --name Second");
  await json(`top-up --account ${accountId} --amount 100 --reference first`);
  const { key } = await json(`key create --account ${accountId} --kind product_ordering`);
  supplier.fault({ kind: "cut_after", times: null });
  const bought = await fetch(`${found(/Ordering interface\s+(\S+)/, printed)}/orders`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ externalOrderId: "max-0001", productId: "ai-max-1m", qty: 1 }),
  });
  expect(await bought.json()).toMatchObject({ error: "supplier_unavailable" });
  supplier.clearFaults();
  const [{ orderId: ORDER }] = await json(`order list --account ${accountId}`);
  // The shop itself may take the order up at the same time.
  const told = await operate(lookingAfter, { ORDER }, / order resolve /);
  expect(told).toMatch(/The supplier had delivered|is delivered; only one|A process works on order/);
  expect(told).toContain("Both lists agree.");
  await expect.poll(() => json(`order show ${ORDER}`)).toMatchObject({ status: "delivered" });
});

test("the line of the operators' manual backs the shop up, beside the service", async () => {
  const backup = join(folder, "backup");
  const told = await operate((await manualBlockOf("backup")).replace(/--to \S+/, `--to ${backup}`));
  expect(told).toMatch(/^Rows +[\d,]+$/m);
  expect(await readdir(backup)).toContain("manifest.json");
});

test("the schema's status is told beside the service", async () => {
  expect(await shell(`npm run -s --prefix ${root} migrate -- status`)).toMatch(
    /^done +0001-ordering-tables$/m,
  );
});

test("the designer's lines of the README check the contract", async () => {
  const told = await inProject(await blockOf("README.md", "designer"));
  expect(told).toContain(`spec/ keeps all rules: ${interfaceNames().join(", ")}.\n`);
});

test("the developer's lines of the README run the tests of a folder", async () => {
  const told = await inProject(await blockOf("README.md", "developer"));
  expect(told).toMatch(/^\d+ passed, 0 failed$/m);
});

/** Runs lines in the project itself. What they count is not counted in this run. */
async function inProject(lines: string): Promise<string> {
  const { TEST_COUNTS_FILE: _, ...own } = process.env;
  const options = { cwd: root, env: { ...own, NO_COLOR: "1" } };
  return (await run("bash", ["-euo", "pipefail", "-c", lines], options)).stdout;
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { addCaller, addModel, completedWith, mostOutput, outputOf } from "../testing/test-calls.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
let operator: TestOperator;
beforeAll(async () => {
  services = await openTestServices();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
});
afterAll(() => services.dispose());

const UNKNOWN_ACCOUNT_ID = `acc_${"0".repeat(32)}`;
const SET = ["model", "set", "large-1", "--name", "Large 1", "--input", "3.00", "--output", "15"];

test("a model is set with the customary prices of the cache, listed, disabled and set again", async () => {
  const model = await operator.json(SET);
  expect(model).toEqual({
    modelId: "large-1",
    name: "Large 1",
    enabled: true,
    input: "3.00",
    output: "15.00",
    cacheWrite: "3.75",
    cacheWriteHour: "6.00",
    cacheRead: "0.30",
    tiers: [],
    speed: {},
    inferenceGeo: {},
    serviceTier: {},
    tools: {},
    maxOutput: null,
    ...{ maxInput: null, lifecycle: "active", aliases: [], capabilities: null },
    createdAt: model.createdAt,
  });
  expect(await operator.json(["model", "list"])).toEqual([model]);
  const disabled = await operator.run(["model", "disable", "large-1"]);
  expect(disabled.exitCode).toBe(0);
  expect(disabled.stdout).toMatch(/^Enabled +no$/m);
  expect(await services.models.findOffered("large-1")).toBeNull();
  const all = ["--cache-write", "6", "--cache-read", "0.0001", "--max-output", "64000"];
  const expected = { ...model, cacheWrite: "6.00", cacheRead: "0.0001", maxOutput: 64_000 };
  expect(await operator.json([...SET, ...all])).toEqual(expected);
  expect((await operator.run(["model", "list"])).stdout).toMatch(
    /large-1 +Large 1 +yes +3\.00 +15\.00 +6\.00/,
  );
});

test("a model is set with every price that the vendor bills, and listed with them", async () => {
  const set = ["model", "set", "all-1", "--name", "All 1", "--input", "3", "--output", "15"];
  const model = await operator.json([
    ...[...set, "--cache-write-hour", "none", "--speed", "fast=6", "--speed", "slow=0.5"],
    ...["--inference-geo", "us=1.1", "--service-tier", "priority=1.25", "--tool", "web_search=0.01"],
    ...["--tier", "500000:input=9,output=30,cache-write-hour=none", "--tier", "200000:input=6,output=22.50"],
  ]);
  expect(model).toMatchObject({
    cacheWriteHour: null,
    tiers: [
      {
        aboveInputTokens: 200_000,
        input: "6.00",
        output: "22.50",
        cacheWrite: "7.50",
        cacheWriteHour: "12.00",
        cacheRead: "0.60",
      },
      { aboveInputTokens: 500_000, cacheWriteHour: null },
    ],
    speed: { fast: "6", slow: "0.5" },
    inferenceGeo: { us: "1.1" },
    serviceTier: { priority: "1.25" },
    tools: { web_search: "0.01" },
  });
  expect(await operator.json(["model", "list"])).toContainEqual(model);
  expect((await operator.run(["model", "list"])).stdout).toContain(
    "above 200000: 6.00/22.50; above 500000: 9.00/30.00; speed fast ×6; speed slow ×0.5; inference geo us ×1.1; " +
      "service tier priority ×1.25; web_search 0.01",
  );
  expect(await operator.json(set)).toMatchObject({ cacheWriteHour: "6.00", tiers: [], speed: {}, tools: {} });
});

test.each([
  [["--speed", "fast"], /name=value/],
  [["--speed", "fast=0"], /factor from 0\.01 to 100/],
  [["--speed", "standard=2"], /standard, which the prices are for/],
  [["--speed", "fast=1.234"], /factor from 0\.01 to 100/],
  [["--inference-geo", "us=1000"], /factor from 0\.01 to 100/],
  [["--tool", "web_search=much"], /USD/],
  [["--tool", "Web-Search=1"], /name=value/],
  [["--tool", "code_execution=0"], /code_execution can have no price, also not 0/],
  [["--tool", "tool_search_tool=0.01"], /Those that can: web_search, web_fetch/],
  [["--tool", "web_search=101"], /0 to 100\.00 USD/],
  [["--tier", "200000:input=6"], /input=6,output=22\.50/],
  [["--tier", "0:input=6,output=7"], /whole number/],
  [["--tier", "9:input=6,output=7,cash=1"], /A tier's prices are/],
  [["--tier", "9:input=6,output=7", "--tier", "9:input=6,output=7"], /rising/],
  [["--tier", "9:input=10001,output=7"], /from 0 to 10000\.00 USD/],
])("a price that is typed as %j is refused with a reason", async (args, reason) => {
  const ran = await operator.run([...SET, ...args]);
  expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ran.stderr).toMatch(reason);
});

test("the smallest price that can be typed has an exact tenth", async () => {
  const set = ["model", "set", "tiny", "--name", "Tiny", "--input", "0.0001", "--output", "0"];
  expect(await operator.json(set)).toMatchObject({
    input: "0.0001",
    cacheWrite: "0.000125",
    cacheRead: "0.00001",
    output: "0.00",
  });
});

test.each([
  [["model", "set", "a b", "--name", "N", "--input", "1", "--output", "1"], /A model's id has/],
  [["model", "set", "m", "--input", "1", "--output", "1"], /required option '--name <name>'/],
  [["model", "set", "m", "--name", "N", "--input", "-1", "--output", "1"], /USD/],
  [["model", "set", "m", "--name", "N", "--input", "10001", "--output", "1"], /from 0 to 10000\.00 USD/],
  [
    ["model", "set", "m", "--name", "N", "--input", "1", "--output", "1", "--max-output", "0"],
    /whole number/,
  ],
  [["model", "disable", "unknown"], /There is no model "unknown"/],
  [["usage", "--account", UNKNOWN_ACCOUNT_ID], /There is no account/],
  [["usage", "--account", "me"], /Such an id is acc_/],
  [["usage"], /required option '--account <id>'/],
])("%j is refused with a reason and a next step", async (args, reason) => {
  const ran = await operator.run(args);
  expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ran.stderr).toMatch(reason);
  expect(ran.stderr).toMatch(/^Next step: /m);
});

test("usage and ledger show calls to the microcent", async () => {
  const accountId = await services.addAccount("1");
  expect((await operator.run(["usage", "--account", accountId])).stdout).toBe(
    "The account has made no calls yet.\n",
  );
  const caller = await addCaller(services, accountId);
  const model = await addModel(services, "test-model");
  const request = { caller, model, requestId: "request-7", most: mostOutput(1_000) };
  const call = await services.calls.begin(request);
  await services.calls.end(call, { ...completedWith(127), estimated: true, upstreamRequestId: "up-7" });
  const running = await services.calls.begin(request);

  const [second, first] = await operator.json(["usage", "--account", accountId]);
  expect(second).toMatchObject({ callId: running.callId, outcome: null, balance: null, endedAt: null });
  expect(first).toEqual({
    callId: call.callId,
    accountId,
    keyId: caller.keyId,
    model: "test-model",
    outcome: "completed",
    estimated: true,
    inputTokens: 0,
    outputTokens: 127,
    cacheWriteTokens: 0,
    cacheReadTokens: 0,
    amount: "0.00000127",
    balance: "0.99999873",
    requestId: "request-7",
    upstreamRequestId: "up-7",
    createdAt: first.createdAt,
    endedAt: first.endedAt,
  });
  const shown = (await operator.run(["usage", "--account", accountId])).stdout;
  expect(shown).toMatch(/completed +~0 +~127 +~0 +~0 +0\.00000127 +0\.99999873 +request-7/);
  expect(shown).toContain("running");
  expect(await operator.json(["usage", "--account", accountId, "--limit", "1"])).toEqual([second]);
  expect(await operator.json(["ledger", "--account", accountId, "--limit", "1"])).toMatchObject([
    { type: "call", reference: call.callId, amount: "-0.00000127", balance: "0.99999873" },
  ]);
  await services.calls.end(running, completedWith(0));
});

test("usage shows what else was charged for, and what had no price", async () => {
  const accountId = await services.addAccount("1");
  const caller = await addCaller(services, accountId);
  const model = await addModel(services, "test-model");
  const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(10) });
  const run = { ...outputOf(4), type: "compaction", modelId: null, cacheWriteHourTokens: 0 };
  const nothing = { cacheWriteHourTokens: 0, inferenceGeo: null, serviceTier: null, iterations: [run] };
  const further = { ...nothing, speed: "fast", toolUses: { web_fetch: 2 }, unknown: ["moon_tokens"] };
  await services.calls.end(call, { ...completedWith(7), usage: { ...outputOf(7), further } });
  const [shown] = await operator.json(["usage", "--account", accountId]);
  expect(shown).toMatchObject({
    amount: "0.00000011",
    unpriced: ["moon_tokens", "speed=fast"],
    items: [
      {
        part: "compaction",
        kind: "output",
        quantity: 4,
        price: "0.01",
        per: 1_000_000,
        factorMillionths: 1_000_000,
      },
      { part: "message", kind: "output", quantity: 7 },
      { part: "message", kind: "web_fetch", quantity: 2, price: "0.00", per: 1 },
    ],
  });
  expect((await operator.run(["usage", "--account", accountId])).stdout).toContain(
    "speed fast; 4 compaction output; 2 web_fetch; UNPRICED moon_tokens speed=fast",
  );
});

test("a balance below zero is shown as it is", async () => {
  const accountId = await services.addAccount("0.0001");
  const model = await addModel(services, "test-model");
  const caller = await addCaller(services, accountId);
  const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(10_000) });
  await services.calls.end(call, completedWith(10_001));
  expect(await operator.json(["account", "show", accountId])).toMatchObject({
    balance: "-0.00000001",
    reserved: "0.00",
    available: "-0.00000001",
  });
});

test("a public list suggests prices, as the command that sets them, and nothing is set", async () => {
  const before = await operator.json(["model", "list"]);
  const suggested = await operator.json(["model", "suggest", "claude-sonnet-4-5"]);
  expect(suggested.command).toContain(
    "--input 3 --output 15 --cache-write 3.75 --cache-write-hour 6 --cache-read 0.3 " +
      "--tier 200000:input=6,output=22.5,cache-write=7.5,cache-write-hour=12,cache-read=0.6 --tool web_search=0.01",
  );
  expect(await operator.json(["model", "list"])).toEqual(before);
  const set = suggested.options.flatMap((option: string) => option.split(" "));
  expect(await operator.json(["model", "set", "suggested", "--name", suggested.name, ...set])).toMatchObject({
    input: "3.00",
    tiers: [{ aboveInputTokens: 200_000, output: "22.50" }],
    tools: { web_search: "0.01" },
  });
  const near = await operator.run(["model", "suggest", "claude-sonnet-4-5-20991231"]);
  expect(near.stdout).toContain("The list has it as claude-sonnet-4-5,");
  expect(await operator.run(["model", "suggest", "none"])).toMatchObject({ exitCode: 1, stdout: "" });
});

test.each(["model set", "model list", "model suggest", "model disable", "usage"])(
  "%s has help with examples",
  async (command) => {
    const help = await operator.run([...command.split(" "), "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toContain(`Examples:\n  npm run -s operator -- ${command}`);
  },
);

test("the help of prices says what the cache costs when nothing is said", async () => {
  expect((await operator.run(["model", "set", "--help"])).stdout).toMatch(
    /customary 1\.25\s+times the price of input/,
  );
});

test("what programs ask about a model is set with it, and its aliases name it", async () => {
  const capabilities = { image_input: { supported: true } };
  const facts = [
    "--alias",
    "large-latest",
    "--alias",
    "l-1",
    "--lifecycle",
    "deprecated",
    "--max-input",
    "200000",
  ];
  const model = await operator.json([...SET, ...facts, "--capabilities", JSON.stringify(capabilities)]);
  expect(model).toMatchObject({
    ...{ maxInput: 200_000, lifecycle: "deprecated", aliases: ["large-latest", "l-1"], capabilities },
  });
  expect(await services.models.findOffered("l-1")).toMatchObject({ modelId: "large-1" });
  await operator.json(SET);
  await expect.poll(() => services.models.findOffered("l-1")).toBeNull();
});

import { expect, test } from "vitest";
import type { AccountId, CallId } from "../ids.ts";
import type { Log } from "../log.ts";
import { createStatistics } from "../statistics/statistics.ts";
import { scaled } from "../testing/faults/fault-runs.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { measureProcess } from "../testing/process-figures.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { openTestBrowser, type TestBrowser } from "../testing/test-browser.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import { addPerson } from "../testing/test-people.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";

/** Calls that an account has made, each with its entry of the ledger. */
const CALLS = scaled(1_000_000);
const CHUNK = 10_000;
const TOKENS = 7;
const DAY_MS = 24 * 60 * 60_000;
const DAYS = 90;
const QUESTIONS = 20;
const SILENT: Log = { info() {}, warn() {}, error() {} };
const SAMPLE_MS = 100;
/** What a process may grow by while a file is read from it: far less than the rows of a million entries. */
const MOST_GROWN_BYTES = 128 * 1024 ** 2;

test("a file of a million entries is read at a steady size, and ninety days of figures come to what they say", async () => {
  // On the days before yesterday, for the process goes by the clock.
  const fromMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS + 1) * DAY_MS;
  const toMs = fromMs + DAYS * DAY_MS;
  const services = await openTestServices(fixedClock(new Date(fromMs).toISOString()).clock);
  const accountId = await services.addAccount("1000");
  const { email, password } = await addPerson(services, accountId, "billing");
  await addPastCalls(services, accountId, { fromMs, toMs });
  await services.statistics.rebuild(accountId, { fromMs, toMs });
  // What is left, in large portions, since nobody else is at work on the account.
  await createStatistics({ ...services, log: SILENT, portionSize: CHUNK }).rollUp();

  const server = await startServerProcess(services.databaseUrl, { VALIDATE_RESPONSES: "off" });
  const browser = openTestBrowser(server.ownUrl);
  expect(await browser.ask("/session", { body: { email, password } })).toMatchObject({ status: 200 });
  const period = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const ledger = `/accounts/${accountId}/exports/ledger?${period}`;
  // The first one takes what every later one takes again.
  await download(server.ownUrl, browser, ledger, CALLS / 10);
  const { value: file, ...memory } = await measureProcess(server, SAMPLE_MS, () =>
    download(server.ownUrl, browser, ledger),
  );
  const [inMiB, grownMiB] = [memory.mostBytes, memory.grownBytes].map((bytes) =>
    Math.round(bytes / 1024 ** 2),
  );
  console.log(
    `${file.lines} lines, the first after ${Math.round(file.firstMs)} ms, all after ${Math.round(file.tookMs)} ms; ` +
      `the process at most ${inMiB} MiB, grown by ${grownMiB} MiB`,
  );
  // The heading, the top-up, the call that all are like, and they.
  expect(file.lines).toBe(CALLS + 3);
  expect(file.end).toMatch(
    new RegExp(`\\r\\n${CALLS + 2},[^,]+,call,-0[.]00000007,[^,]+,call_[0-9a-f]{32}\\r\\n$`),
  );
  expect(memory.grownBytes).toBeLessThan(MOST_GROWN_BYTES);

  const { buckets } = await askRepeatedly(
    browser,
    `/accounts/${accountId}/statistics/spend?${period}&granularity=P1D`,
  );
  expect(buckets).toHaveLength(DAYS);
  const total = buckets.reduce((sum: number, { calls }: { calls: string }) => sum + Number(calls), 0);
  expect(Math.round(total * 1e8)).toBe((CALLS + 1) * TOKENS);
  const calls = `/accounts/${accountId}/statistics/calls?${period}&granularity=P1D&groupBy=model`;
  expect((await askRepeatedly(browser, calls)).buckets).toHaveLength(DAYS);
  const middle = new Date(fromMs + (DAYS / 2) * DAY_MS).toISOString();
  const { entries } = await askRepeatedly(browser, `/accounts/${accountId}/ledger?limit=200&to=${middle}`);
  expect(entries).toHaveLength(200);
  expect(entries[0].createdAt < middle).toBe(true);

  await server.kill("SIGTERM");
  // Ends with the audit.
  await services.dispose();
});

/** Asks the same question again and again, and prints how long it took. @returns what the last answer says. */
async function askRepeatedly(browser: TestBrowser, path: string) {
  const tookMs: number[] = [];
  let body = null;
  for (let index = 0; index < QUESTIONS; index += 1) {
    const startedMs = performance.now();
    const answer = await browser.ask(path);
    tookMs.push(Math.round(performance.now() - startedMs));
    expect(answer.status).toBe(200);
    body = answer.body;
  }
  tookMs.sort((one, other) => one - other);
  console.log(`${path}: p50 ${tookMs.at(QUESTIONS / 2)} ms, p95 ${tookMs.at(-2)} ms`);
  return body;
}

/** Reads a file and keeps nothing of it but its end. @param lines no more than about so many. */
async function download(url: string, browser: TestBrowser, path: string, lines = Number.POSITIVE_INFINITY) {
  const startedMs = performance.now();
  const [cookie = ""] = browser.cookie().split(";");
  const response = await fetch(`${url}/account/v1${path}`, {
    headers: { Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
  });
  expect(response.status).toBe(200);
  const read = { lines: 0, firstMs: 0, tookMs: 0, end: "" };
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    if (read.firstMs === 0) read.firstMs = performance.now() - startedMs;
    for (const byte of piece) if (byte === 10) read.lines += 1;
    read.end = (read.end + decoder.decode(piece, { stream: true })).slice(-300);
    if (read.lines >= lines) break;
  }
  return { ...read, tookMs: performance.now() - startedMs };
}

/** An account's calls over a period, evenly spread, each like one that was made: what would take days to make one by one. */
async function addPastCalls(
  services: TestServices,
  accountId: AccountId,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<void> {
  const caller = await addCaller(services, accountId);
  const model = await addModel(services);
  const call = await services.calls.begin({ caller, model, requestId: "past", most: mostOutput(TOKENS) });
  await services.calls.end(call, completedWith(TOKENS));
  const [entry] = await services.ledger.list(accountId, 1);
  if (entry === undefined) throw new Error("The call has no entry.");
  const stepMs = (toMs - fromMs) / (CALLS + 1);
  for (let first = 0; first < CALLS; first += CHUNK) {
    const numbers = { first, last: Math.min(first + CHUNK, CALLS) };
    await copyCalls(services, call.callId, { fromMs, stepMs, ...numbers });
    await copyEntries(services, entry, { fromMs, stepMs, ...numbers });
  }
  const changed = await services.database.change(
    "UPDATE accounts SET balance_microcents = balance_microcents - ?, ledger_sequence = ledger_sequence + ? WHERE account_id = ?",
    [CALLS * TOKENS, CALLS, accountId],
  );
  expect(changed).toBe(1);
}

/** Which of the calls, by their numbers from 0 on, and when they are. */
interface Copies {
  readonly first: number;
  readonly last: number;
  readonly fromMs: number;
  readonly stepMs: number;
}

const DIGIT =
  "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5" +
  " UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
/** The numbers of a chunk: its beginning is the only parameter, its end the condition's. */
const NUMBERS = `(SELECT ? + a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS i FROM ${DIGIT} a, ${DIGIT} b, ${DIGIT} c, ${DIGIT} e) n`;

function timeAt({ fromMs, stepMs }: Copies): string {
  return `(${fromMs} + FLOOR((n.i + 1) * ${stepMs}))`;
}

function idAt(copies: Copies): string {
  return `LOWER(CONCAT('call_', LPAD(HEX(${timeAt(copies)}), 12, '0'), LPAD(HEX(n.i + 1), 20, '0')))`;
}

async function copyCalls({ database }: TestServices, callId: CallId, copies: Copies): Promise<void> {
  const columns = await database.rows<{ Field: string }>("SHOW COLUMNS FROM calls");
  const names = columns.map(({ Field }) => Field);
  const time = timeAt(copies);
  const others: Readonly<Record<string, string>> = {
    call_id: idAt(copies),
    created_at_ms: time,
    ended_at_ms: time,
    // The rollups are made of all of them at once.
    rollup_due: "NULL",
  };
  await database.change(
    `INSERT INTO calls (${names.join(", ")})
     SELECT ${names.map((name) => others[name] ?? `t.${name}`).join(", ")} FROM calls t, ${NUMBERS} WHERE t.call_id = ? AND n.i < ?`,
    [copies.first, callId, copies.last],
  );
}

async function copyEntries(
  { database }: TestServices,
  { accountId, sequence }: { readonly accountId: AccountId; readonly sequence: number },
  copies: Copies,
): Promise<void> {
  await database.change(
    `INSERT INTO ledger_entries
       (account_id, sequence, type, amount_microcents, balance_after_microcents, reference, note, created_at_ms)
     SELECT t.account_id, t.sequence + n.i + 1, t.type, t.amount_microcents,
       t.balance_after_microcents + t.amount_microcents * (n.i + 1), ${idAt(copies)}, NULL, ${timeAt(copies)}
     FROM ledger_entries t, ${NUMBERS} WHERE t.account_id = ? AND t.sequence = ? AND n.i < ?`,
    [copies.first, accountId, sequence, copies.last],
  );
}

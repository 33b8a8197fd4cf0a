import { codeAt } from "../../server/testing/test-people.ts";
import { documentedType, headersWith, type Operation, openContract } from "../contract.ts";
import { withoutMissing } from "./example-body.ts";
import { answerName, type Outcome } from "./report.ts";
import { type RequestParts, type Requests, requestFor, STAGES, type Stage } from "./requests.ts";

/** What of the environment tells the hooks what to do. */
export interface HookSettings {
  name: string;
  requests: Requests;
}

/**
 * What the hooks tell the parent: that the next requests are for another stage, which it answers with that stage when it is
 * there; and at the end what became of all transactions.
 */
export type HookMessage = { stage: Stage } | { outcomes: Outcome[] };

/** The part of Dredd's hooks that is used here. It tells by the number of parameters whether a hook calls back. */
interface Hooks {
  beforeAll(hook: (transactions: Transaction[]) => void): void;
  beforeEach(hook: (transaction: Transaction, done: () => void) => void): void;
  beforeEachValidation(hook: (transaction: Transaction) => void): void;
  afterEach(hook: (transaction: Transaction) => void): void;
  afterAll(hook: (transactions: Transaction[]) => void): void;
}

interface Transaction {
  origin: { resourceName: string };
  request: { method: string; headers: Record<string, string>; body: string };
  protocol: string;
  host: string;
  port: number;
  fullPath: string;
  expected: { statusCode: string; headers: Record<string, string>; body?: string };
  skip: boolean;
  fail?: string;
  real?: { statusCode: number; headers: Record<string, string>; body?: string };
  test: { valid: boolean; message: string };
}

const MAX_SHOWN_BODY_LENGTH = 300;
const { name: interfaceName, requests }: HookSettings = JSON.parse(process.env.DREDD_HOOK_SETTINGS ?? "");
const contract = openContract(interfaceName);

/** Makes Dredd ask for each documented answer, judges it by the whole 3.1 contract, and sends the outcomes to the parent. */
export function register(hooks: Hooks): void {
  const outcomes: Outcome[] = [];
  let present: Stage = STAGES[0];

  // What is taken away stays away, so transactions that need it come before those that need it gone.
  hooks.beforeAll((transactions) => {
    transactions.sort((one, other) => STAGES.indexOf(stageOf(one)) - STAGES.indexOf(stageOf(other)));
  });

  hooks.beforeEach((transaction, done) => {
    const parts = partsFor(transaction);
    if (parts) fill(transaction, parts);
    else transaction.skip = true;
    if (parts?.credential && parts.credential === requests.exhausted)
      return void useUp(transaction).then(done);
    const stage = stageOf(transaction);
    if (stage === present) return done();
    present = stage;
    process.once("message", done);
    tellParent({ stage });
  });

  // Dredd compares content types as texts, and takes every documented header, and every field of an example, for a
  // required one.
  hooks.beforeEachValidation((transaction) => {
    const { expected, real } = transaction;
    const { headers } = operationOf(transaction).responses[expected.statusCode] ?? {};
    for (const [name, { required }] of Object.entries(headers ?? {})) {
      if (!required) delete expected.headers[name];
    }
    if (expected.body && real?.body && contractFaultsOf(transaction).length === 0)
      expected.body = withoutMissing(expected.body, real.body);
    const contentType = real?.headers["content-type"];
    if (real && contentType) real.headers["content-type"] = documentedType(contentType);
  });

  hooks.afterEach((transaction) => {
    const { operationId } = operationOf(transaction);
    const answer = answerOf(transaction);
    outcomes.push({ operationId, answer, skipped: transaction.skip, faults: faultsOf(transaction) });
  });

  hooks.afterAll((_transactions) => tellParent({ outcomes }));
}

/** Sends a request until its caller has none left in this minute: a run may take longer than a minute. */
async function useUp({ protocol, host, port, fullPath, request }: Transaction): Promise<void> {
  const url = `${protocol}//${host}:${port}${fullPath}`;
  const { method, headers } = request;
  while ((await fetch(url, { method, headers })).status !== 429);
}

function tellParent(message: HookMessage): void {
  process.send?.(message);
}

/** Status and, unless it is JSON, media type of the answer that is asked for. */
function answerOf({ expected: { statusCode, headers } }: Transaction): string {
  return answerName(statusCode, headers["Content-Type"]);
}

function operationOf({ origin, request }: Transaction): Operation {
  const operation = contract.operations.find(
    (it) => it.path === origin.resourceName && it.method === request.method,
  );
  if (!operation) throw new Error(`The contract has no ${request.method} ${origin.resourceName}.`);
  return operation;
}

function partsFor(transaction: Transaction): RequestParts | undefined {
  return requestFor(requests, operationOf(transaction), answerOf(transaction));
}

function stageOf(transaction: Transaction): Stage {
  return partsFor(transaction)?.stage ?? STAGES[0];
}

function fill(transaction: Transaction, parts: RequestParts): void {
  const { credential, path, query, headers, totpSecret = null } = parts;
  const body = totpSecret === null ? parts.body : { code: codeAt(totpSecret, Date.now()) };
  const { path: template, admissions, browserHeaders } = operationOf(transaction);
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
  const [admission] = admissions;
  transaction.fullPath = `${contract.basePath}${filled}${query ? `?${query}` : ""}`;
  Object.assign(
    transaction.request.headers,
    browserHeaders,
    headers,
    admission && credential !== null && headersWith(admission, credential),
  );
  if (body !== undefined) transaction.request.body = typeof body === "string" ? body : JSON.stringify(body);
}

/** Dredd's own findings, from the weaker 3.0 document, those of the contract itself, and what they are about. */
function faultsOf(transaction: Transaction): string[] {
  const { real, test, skip } = transaction;
  if (skip) return [];
  if (!real) return ["there was no answer"];
  const { statusCode: status, headers, body = "" } = real;
  const found = [
    ...(test.valid ? [] : test.message.trim().split("\n")).map((fault) => `Dredd: ${fault}`),
    ...contractFaultsOf(transaction).map((fault) => `OpenAPI 3.1: ${fault}`),
  ];
  if (found.length === 0) return [];
  return [...found, `it was ${status} ${headers["content-type"]} ${body.slice(0, MAX_SHOWN_BODY_LENGTH)}`];
}

/** What the whole 3.1 document has against the answer. */
function contractFaultsOf(transaction: Transaction): string[] {
  const { real } = transaction;
  if (!real) return [];
  const { statusCode: status, body = "" } = real;
  // Node keeps the cookies of an answer as a list.
  const headers = Object.fromEntries(
    Object.entries(real.headers).map(([name, value]) => [name, String(value)]),
  );
  return contract.faultsOf(operationOf(transaction), { status, headers, body });
}

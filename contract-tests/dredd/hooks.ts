import { documentedType, type InterfaceName, type Operation, openContract } from "../contract.ts";
import { type RequestParts, type Requests, requestFor } from "./requests.ts";

/** What of the environment tells the hooks what to do. */
export interface HookSettings {
  name: InterfaceName;
  requests: Requests;
}

/**
 * What became of the transactions, each named by operation and status and, unless it is JSON, media type, for example
 * `createOrder 200` and `createMessage 200 text/event-stream`.
 */
export interface DreddReport {
  passed: string[];
  skipped: string[];
  /** With every reason. */
  failed: { name: string; faults: string[] }[];
}

/** The part of Dredd's hooks that is used here. */
interface Hooks {
  beforeEach(hook: (transaction: Transaction) => void): void;
  beforeEachValidation(hook: (transaction: Transaction) => void): void;
  afterEach(hook: (transaction: Transaction) => void): void;
  afterAll(hook: (transactions: Transaction[]) => void): void;
}

interface Transaction {
  origin: { resourceName: string };
  request: { method: string; headers: Record<string, string>; body: string };
  fullPath: string;
  expected: { statusCode: string; headers: Record<string, string> };
  skip: boolean;
  fail?: string;
  real?: { statusCode: number; headers: Record<string, string>; body?: string };
  test: { valid: boolean; message: string };
}

const { name: interfaceName, requests }: HookSettings = JSON.parse(process.env.DREDD_HOOK_SETTINGS ?? "");
const contract = openContract(interfaceName);

/** Makes Dredd ask for each documented answer, judges it by the whole 3.1 contract, and sends the report to the parent. */
export function register(hooks: Hooks): void {
  const report: DreddReport = { passed: [], skipped: [], failed: [] };

  hooks.beforeEach((transaction) => {
    const operation = operationOf(transaction);
    const parts = requestFor(requests, operation.operationId, answerOf(transaction));
    if (parts) fill(transaction, operation, parts);
    else transaction.skip = true;
  });

  // Dredd compares content types as texts, and takes every documented header for a required one.
  hooks.beforeEachValidation((transaction) => {
    const { expected, real } = transaction;
    const { headers } = operationOf(transaction).responses[expected.statusCode] ?? {};
    for (const [name, { required }] of Object.entries(headers ?? {})) {
      if (!required) delete expected.headers[name];
    }
    const contentType = real?.headers["content-type"];
    if (real && contentType) real.headers["content-type"] = documentedType(contentType);
  });

  hooks.afterEach((transaction) => {
    const operation = operationOf(transaction);
    const name = `${operation.operationId} ${answerOf(transaction)}`;
    const faults = transaction.skip ? [] : faultsOf(transaction, operation);
    if (transaction.skip) report.skipped.push(name);
    else if (faults.length === 0) report.passed.push(name);
    else report.failed.push({ name, faults });
  });

  // Dredd runs a hook only if it takes a parameter.
  hooks.afterAll((_transactions) => void process.send?.(report));
}

/** Status and, unless it is JSON, media type of the answer that is asked for. */
function answerOf({ expected: { statusCode, headers } }: Transaction): string {
  const mediaType = headers["Content-Type"] ?? "application/json";
  return mediaType === "application/json" ? statusCode : `${statusCode} ${mediaType}`;
}

function operationOf({ origin, request }: Transaction): Operation {
  const operation = contract.operations.find(
    (it) => it.path === origin.resourceName && it.method === request.method,
  );
  if (!operation) throw new Error(`The contract has no ${request.method} ${origin.resourceName}.`);
  return operation;
}

function fill(
  transaction: Transaction,
  operation: Operation,
  { key, id = "", query, body }: RequestParts,
): void {
  const path = operation.path.replace("{id}", encodeURIComponent(id));
  transaction.fullPath = `${contract.basePath}${path}${query ? `?${query}` : ""}`;
  if (key !== null) transaction.request.headers.Authorization = `Bearer ${key}`;
  if (body) transaction.request.body = JSON.stringify(body);
}

/** Dredd's own findings, from the weaker 3.0 document, and those of the contract itself. */
function faultsOf({ real, test }: Transaction, operation: Operation): string[] {
  if (!real) return ["there was no answer"];
  const { statusCode: status, headers, body = "" } = real;
  const ownFaults = contract.faultsOf(operation, { status, headers, body });
  return test.valid ? ownFaults : [test.message.trim(), ...ownFaults];
}

import { readDocument } from "../interfaces/read-document.ts";
import type { TestBrowser } from "./test-browser.ts";

/** An id as somebody writes it who hopes to get at what it names. @param own an id of theirs, of the same kind. */
export type Writing = (id: string, own: string) => string;

/** An account, and something of each kind that belongs to it. */
export interface IdsOfAccount {
  readonly accountId: string;
  readonly keyId: string;
  readonly orderId: string;
  readonly userId: string;
}

/** Ids that nothing has. */
const NOTHING: IdsOfAccount = {
  accountId: `acc_${"0".repeat(32)}`,
  keyId: `key_${"0".repeat(32)}`,
  orderId: `ord_${"0".repeat(32)}`,
  userId: `usr_${"0".repeat(32)}`,
};

/** What may be done with an account or what belongs to it, by the parameters of its path. */
const OPERATIONS = Object.entries(readDocument("account").paths ?? {}).flatMap(([path, item]) =>
  ["get", "post", "patch", "put", "delete"].flatMap((method) =>
    item && method in item && path.includes("{accountId}") ? [{ path, method: method.toUpperCase() }] : [],
  ),
);
const BODIES: Readonly<Record<string, object>> = {
  POST: { kind: "general" },
  PATCH: { name: "Taken" },
};
const BODIES_OF: Readonly<Record<string, object>> = {
  rotation: { overlapSeconds: 0 },
  invitations: { email: "taken@buyer.example", role: "owner" },
};
const AT_ONCE = 16;

/** What came of an attempt at what belongs to others, and of the same at what nothing has. */
export interface ForeignAttempt {
  /** Method and path, with the ids as they were written. */
  readonly place: string;
  /** Status and body, without the ids. */
  readonly answer: string;
  readonly atNothing: string;
}

/** Whose ids are tried by whom. */
interface Tried {
  readonly visitors: readonly TestBrowser[];
  /** What the visitors may see. */
  readonly own: IdsOfAccount;
  readonly foreign: IdsOfAccount;
}

/** Tries every operation of accounts with ids of another account, alone and mixed with own ones, written in one way. */
export async function tryForeignIds(tried: Tried, write: Writing): Promise<ForeignAttempt[]> {
  const requests = requestsOf(tried, write);
  const answers = await answersTo(requests);
  const atNothing = await answersTo(requestsOf({ ...tried, foreign: NOTHING }, write));
  return requests.map(({ method, path }, index) => ({
    place: `${method} ${path}`,
    answer: answers[index] ?? "",
    atNothing: atNothing[index] ?? "",
  }));
}

interface Request {
  readonly browser: TestBrowser;
  readonly method: string;
  readonly path: string;
  readonly ids: IdsOfAccount;
}

function requestsOf({ visitors, own, foreign }: Tried, write: Writing): Request[] {
  const written = {
    keyId: write(foreign.keyId, own.keyId),
    orderId: write(foreign.orderId, own.orderId),
    userId: write(foreign.userId, own.userId),
  };
  const accountId = write(foreign.accountId, own.accountId);
  const named = [
    { accountId, ...written },
    { ...own, accountId },
    { ...own, ...written },
  ];
  return visitors.flatMap((browser) =>
    OPERATIONS.flatMap(({ path, method }) =>
      named
        .filter((ids) => /\{(?:key|order|user)Id\}/.test(path) || ids.accountId !== own.accountId)
        .map((ids) => ({ browser, method, path: filled(path, ids), ids })),
    ),
  );
}

function filled(path: string, ids: IdsOfAccount): string {
  const values: Readonly<Record<string, string>> = { ...ids };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "2026-11");
}

async function answersTo(requests: readonly Request[]): Promise<string[]> {
  const answers: string[] = [];
  for (let first = 0; first < requests.length; first += AT_ONCE)
    answers.push(...(await Promise.all(requests.slice(first, first + AT_ONCE).map(answerTo))));
  return answers;
}

async function answerTo({ browser, method, path, ids }: Request): Promise<string> {
  const body = BODIES_OF[path.split("/").at(-1) ?? ""] ?? BODIES[method];
  const headers = { "Idempotency-Key": "foreign" };
  const answer = await browser.ask(path, { method, headers, ...(body && { body }) });
  const said = JSON.stringify(answer.body ?? null);
  return `${answer.status} ${withoutIds(said, ids)}`;
}

function withoutIds(text: string, ids: IdsOfAccount): string {
  const named = Object.values(ids).flatMap((id: string) => [id, decodeURIComponent(id)]);
  return named
    .reduce((left, id) => left.replaceAll(id, "ID"), text)
    .replaceAll(/(acc|key|ord|usr)(?:_|%5F)[0-9a-f]{32}/gi, "$1");
}

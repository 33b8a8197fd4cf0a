import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DomainError } from "../../server/errors.ts";
import type { Listening } from "../../server/http/listen.ts";
import { createRateLimit } from "../../server/http/rate-limit.ts";
import type { AccountId, KeyId } from "../../server/ids.ts";
import { type Caller, type KeyKind, SCOPES } from "../../server/keys/api-key.ts";
import { errorAnswersOf } from "../../spec/tools/error-table.ts";
import {
  type Answer,
  type Contract,
  exampleQuery,
  headersWith,
  INTERFACES,
  type Operation,
  openContract,
  usualHeaders,
} from "../contract.ts";
import { codeIn } from "../fuzz/expectations.ts";
import { MET_EVERYWHERE } from "./domain-errors.ts";
import { faultsOfErrorLists } from "./error-classes.ts";
import { errorsOf, type InterfaceErrors, type MetError } from "./interface-errors.ts";
import { type Mishap, startThrowingService } from "./throwing-service.ts";

// Every error code of every documented answer is brought about over HTTP, with the handlers and converters of the service
// and use cases that throw: so a code that is misspelt, or has another status than the document says, is found even where
// no test of the service leads to it. So is a code that no error of an operation comes to, and an answer that lacks a header
// which others of its status have.

const root = resolve(import.meta.dirname, "../..");

const WHERE = "contract-tests/interfaces/<name>/errors.ts says the operation may end with";

/** Where headers of answers are set. */
const SENDING = ["server/interfaces/<name>", "server/http"];
/** The operator may give these headers another beginning. */
const RATE_LIMIT = "anthropic-ratelimit";

/** A caller whom every operation lets in. */
const CALLER: Caller = {
  accountId: "acc_1" as AccountId,
  keyId: "key_1" as KeyId,
  kind: "product_ordering",
  rpmLimit: 1_000_000,
  callsInFlightLimit: null,
  lowersMaxTokens: false,
  orderCapMicrocents: null,
  dailyCapMicrocents: null,
};
/** One who has always made the one request that may be made in a minute. */
const BUSY_CALLER: Caller = { ...CALLER, accountId: "acc_2" as AccountId, rpmLimit: 1 };
/** How long an answer may take on a busy machine; less than is left of the minute. */
const MAX_ANSWER_MS = 20_000;
const KINDS = Object.keys(SCOPES) as KeyKind[];

/** What befalls a request, of a key that may do what it asks for unless it is said otherwise. */
interface NamedMishap extends Omit<Mishap, "admits"> {
  readonly name: string;
  readonly isForbidden?: boolean;
  /** The operations that it befalls; null: all. */
  readonly by: MetError["by"];
}

const notReached = new Error("It was let in.");
const unexpected = new Error("Unexpected.");

function nameOf({ name, code }: DomainError): string {
  return `${name} ${code}`;
}

/** What befalls the operations of an interface whose callers meet these errors beside those of all. */
function mishapsOf(met: readonly MetError[]): readonly NamedMishap[] {
  const all = [...MET_EVERYWHERE.map((thrown): MetError => ({ thrown, by: null })), ...met];
  return [
    ...all.map(({ thrown, by }) => ({ name: nameOf(thrown), caller: CALLER, thrown, by })),
    // What befalls all operations may also happen before it is known who asks.
    ...all
      .filter(({ by }) => by === null)
      .map(({ thrown, by }) => ({
        name: `${nameOf(thrown)} while the key is looked up`,
        ...{ caller: CALLER, thrown, by, isEarly: true },
      })),
    { name: "an error that nobody expects", caller: CALLER, thrown: unexpected, by: null },
    {
      name: "an error that nobody expects, while the key is looked up",
      ...{ caller: CALLER, thrown: unexpected, by: null, isEarly: true },
    },
    { name: "no valid key", caller: null, thrown: notReached, by: null },
    { name: "no request left", caller: BUSY_CALLER, thrown: notReached, by: null },
    { name: "a key of another kind", caller: CALLER, thrown: notReached, by: null, isForbidden: true },
  ];
}

const INTERFACES_WITH_ERRORS = await Promise.all(
  INTERFACES.map(async (name) => ({ name, errors: await errorsOf(name) })),
);

let mishap: Mishap;
let service: Listening;
const rateLimit = createRateLimit(null);
beforeAll(async () => {
  mishap = { caller: null, admits: {}, thrown: notReached };
  service = await startThrowingService(mishap, rateLimit);
});
afterAll(() => service.close());

/** Asks as the examples of the document do, while that befalls the request. */
async function answerTo(
  { basePath }: Contract,
  operation: Operation,
  { admits }: InterfaceErrors,
  { caller, thrown, isEarly, isForbidden = false }: NamedMishap,
): Promise<Answer> {
  const { method, path, parameters, admissions, requestBody } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((it) => it.name === name)?.example),
  );
  const [[mediaType = "", media] = []] = Object.entries(requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const [admission] = admissions;
  const kind = kindFor(operation, isForbidden);
  // Its minute may be over since it was counted last.
  if (caller === BUSY_CALLER) await rateLimit.count(caller);
  Object.assign(mishap, { thrown, isEarly, admits, caller: caller && { ...caller, kind } });
  const response = await fetch(`${service.url}${basePath}${filled}?${exampleQuery(operation)}`, {
    method,
    headers: {
      ...usualHeaders(operation),
      ...(admission && headersWith(admission, "svc_sk_any")),
      ...(example && { "Content-Type": mediaType }),
    },
    ...(example && { body: JSON.stringify(example.value) }),
  });
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: await response.text() };
}

/** A kind of key that may ask for the operation, or one that may not where there is one. */
function kindFor({ admissions }: Operation, isForbidden: boolean): KeyKind {
  const needed = admissions[0]?.scopes ?? [];
  const mayAsk = (kind: KeyKind) =>
    needed.every((scope) => (SCOPES[kind] as readonly string[]).includes(scope));
  return KINDS.find((kind) => mayAsk(kind) !== isForbidden) ?? CALLER.kind;
}

describe.each(INTERFACES_WITH_ERRORS)(
  "every error code of $name comes over HTTP with its status:",
  ({ name, errors }) => {
    const contract = openContract(name);
    const document = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
    const documented = errorAnswersOf(document);
    const cases = contract.operations.map((operation) => {
      const place = `${operation.method} ${operation.path}`;
      const answers = documented.filter((answer) => answer.place === `${place} ${answer.status}`);
      return { operation, title: `${name} ${operation.operationId}`, answers };
    });

    const mishaps = mishapsOf(errors.met);
    /** Every header of every answer that came, as `502 x-should-retry false`. */
    const answered = new Set<string>();

    test.each(cases)("$title", async ({ operation, answers }) => {
      const faultsOf = new Map<string, string[]>();
      const met: string[] = [];
      const sent = new Set<string>();
      for (const each of mishaps.filter(({ by }) => by?.includes(operation.operationId) ?? true)) {
        const answer = await answerTo(contract, operation, errors, each);
        const said = `${answer.status} ${codeIn(answer.body)}`;
        met.push(`${each.name}: ${said}`);
        for (const [header, value] of Object.entries(answer.headers)) {
          sent.add(`${answer.status} ${header}`);
          answered.add(`${answer.status} ${header} ${value}`);
        }
        const faults = [...contract.faultsOf(operation, answer), ...otherThanExpected(errors, each, answer)];
        const told = faults.map((fault) => `${each.name}: ${fault}`);
        faultsOf.set(said, [...(faultsOf.get(said) ?? []), ...told]);
      }
      const documented = answers.flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`));
      const wrong = documented.flatMap((pair) => {
        const faults = faultsOf.get(pair) ?? [
          `no error is answered so, of those that ${WHERE}:\n${met.join("\n")}`,
        ];
        return [...new Set(faults)].map((fault) => `${pair}: ${fault}`);
      });
      expect(wrong, `${operation.operationId} does not give the errors that spec/${name} lists`).toEqual([]);
      expect(
        neverSent(operation, sent),
        `no error of ${operation.operationId} has a header that spec/${name} describes`,
      ).toEqual([]);
      const others = [...faultsOf.keys()].filter((pair) => !documented.includes(pair) && !isSuccess(pair));
      expect(
        others,
        `spec/${name} does not say that ${operation.operationId} gives:\n${met.join("\n")}`,
      ).toEqual([]);
    });

    test(`what descriptions of headers of ${name} say of a status has been answered with it`, () => {
      const said = Object.entries<{ description?: string }>(document.components.headers ?? {}).flatMap(
        ([header, { description = "" }]) =>
          [...description.replaceAll(/\s+/g, " ").matchAll(/`(\w+)` on a (\d{3})/g)].map(
            ([, value, status]) => `${status} ${header.toLowerCase()} ${value}`,
          ),
      );
      expect(
        said.filter((each) => !answered.has(each)),
        `spec/${name}/headers says so, and no error is answered so`,
      ).toEqual([]);
    });

    test(`headers that successes of ${name} may have stand in its code`, () => {
      const code = globSync(
        SENDING.map((folder) => `${folder.replace("<name>", name)}/*.ts`),
        { cwd: root },
      )
        .filter((file) => !file.endsWith(".test.ts"))
        .map((file) => readFileSync(join(root, file), "utf8").toLowerCase());
      const unknown = contract.operations.flatMap(({ operationId, responses }) =>
        Object.entries(responses)
          .filter(([status]) => isSuccess(status))
          .flatMap(([status, { headers }]) => Object.keys(headers).map((header) => ({ status, header })))
          .filter(
            ({ header }) => !code.some((text) => text.includes(header.toLowerCase().replace(RATE_LIMIT, ""))),
          )
          .map(({ status, header }) => `${operationId} ${status} ${header}`),
      );
      expect(unknown, `${SENDING.join(" and ")} send them, or spec/${name} promises too much`).toEqual([]);
    });

    test(`the errors of ${name} have operations that are there`, () => {
      const known = cases.map(({ operation }) => operation.operationId);
      const named = errors.met.flatMap(({ by }) => by ?? []);
      expect(named.filter((operationId) => !known.includes(operationId))).toEqual([]);
    });
  },
);

/** The headers of errors that the document lets be left out, and that no error has. */
function neverSent({ responses }: Operation, sent: ReadonlySet<string>): string[] {
  return Object.entries(responses)
    .filter(([status]) => !isSuccess(status))
    .flatMap(([status, { headers }]) => Object.keys(headers).map((header) => `${status} ${header}`))
    .filter((header) => !sent.has(header.toLowerCase()));
}

/** What is wrong with the answer to an error though the document allows it: another answer, time or details. */
function otherThanExpected(
  { answerTo, detailsOf }: InterfaceErrors,
  mishap: NamedMishap,
  { status, headers, body }: Answer,
): string[] {
  const { thrown, caller } = mishap;
  if (caller?.accountId === BUSY_CALLER.accountId) return faultsOfWait(headers);
  const expected = answerTo(thrown);
  if (expected === null) return [];
  const said = [status, codeIn(body), headers["x-should-retry"]]
    .filter((part) => part !== undefined)
    .join(" ");
  const { retryAfterSeconds: seconds = null } = thrown as { retryAfterSeconds?: number | null };
  const wait = headers["retry-after"];
  const [details, allowed] = [JSON.stringify(JSON.parse(body).details), detailsOf(thrown)];
  const isToldRight = allowed?.some((each) => JSON.stringify(each) === details) ?? true;
  return [
    ...(said === expected ? [] : [`it is answered ${said}, and should be ${expected}`]),
    ...(seconds === null || wait === String(seconds)
      ? []
      : [`Retry-After is ${wait}, and should be ${seconds}`]),
    ...(isToldRight ? [] : [`details are ${details}, and should be ${JSON.stringify(allowed)}`]),
  ];
}

/** One who has to wait is told the same time twice, where there is a header for when the count starts anew. */
function faultsOfWait(headers: Answer["headers"]): string[] {
  const reset = Object.entries(headers).find(([header]) => header.endsWith("-requests-reset"))?.[1];
  if (reset === undefined) return [];
  const differenceMs = Date.parse(reset) - Date.now() - Number(headers["retry-after"]) * 1_000;
  // Retry-After is rounded up, and the answer took its time.
  const isSame = differenceMs <= 0 && differenceMs > -MAX_ANSWER_MS;
  return isSame ? [] : [`the count starts anew at ${reset}, and Retry-After is ${headers["retry-after"]}`];
}

/** What needs no key answers whoever asks. */
function isSuccess(pair: string): boolean {
  return pair.startsWith("2");
}

test("every class of errors has its place", async () => {
  expect(await faultsOfErrorLists()).toEqual([]);
});

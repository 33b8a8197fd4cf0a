import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Listening } from "../../server/http/listen.ts";
import { createRateLimit } from "../../server/http/rate-limit.ts";
import type { AccountId, KeyId } from "../../server/ids.ts";
import { type Caller, type KeyKind, SCOPES } from "../../server/keys/api-key.ts";
import { errorAnswersOf } from "../../spec/tools/error-table.ts";
import {
  type Answer,
  type Contract,
  headersWith,
  INTERFACES,
  type Operation,
  openContract,
} from "../contract.ts";
import { codeIn } from "../fuzz/expectations.ts";
import { DOMAIN_ERRORS } from "./domain-errors.ts";
import { faultsOfErrorList } from "./error-classes.ts";
import { type Mishap, startThrowingService } from "./throwing-service.ts";

// Every error code of every documented answer is brought about over HTTP, with the handlers and converters of the service
// and use cases that throw: so a code that is misspelt, or has another status than the document says, is found even where
// no test of the service leads to it.

const root = resolve(import.meta.dirname, "../..");

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
/** One who has made the one request that may be made in a minute. */
const BUSY_CALLER: Caller = { ...CALLER, accountId: "acc_2" as AccountId, rpmLimit: 1 };
const KINDS = Object.keys(SCOPES) as KeyKind[];

/** What befalls a request, of a key that may do what it asks for unless it is said otherwise. */
interface NamedMishap extends Mishap {
  readonly name: string;
  readonly isForbidden?: boolean;
}

const notReached = new Error("It was let in.");
const MISHAPS: readonly NamedMishap[] = [
  ...DOMAIN_ERRORS.map((thrown) => ({ name: `${thrown.name} ${thrown.code}`, caller: CALLER, thrown })),
  { name: "an error that nobody expects", caller: CALLER, thrown: new Error("Unexpected.") },
  { name: "no valid key", caller: null, thrown: notReached },
  { name: "no request left", caller: BUSY_CALLER, thrown: notReached },
  { name: "a key of another kind", caller: CALLER, thrown: notReached, isForbidden: true },
];

let mishap: Mishap;
let service: Listening;
beforeAll(async () => {
  mishap = { caller: null, thrown: notReached };
  const rateLimit = createRateLimit(null);
  await rateLimit.count(BUSY_CALLER);
  service = await startThrowingService(mishap, rateLimit);
});
afterAll(() => service.close());

/** Asks as the examples of the document do, while that befalls the request. */
async function answerTo(
  { basePath }: Contract,
  operation: Operation,
  { caller, thrown, isForbidden = false }: NamedMishap,
): Promise<Answer> {
  const { method, path, parameters, admissions, requestBody } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((it) => it.name === name)?.example),
  );
  const [[mediaType = "", media] = []] = Object.entries(requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const [admission] = admissions;
  Object.assign(mishap, { thrown, caller: caller && { ...caller, kind: kindFor(operation, isForbidden) } });
  const response = await fetch(`${service.url}${basePath}${filled}`, {
    method,
    headers: {
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

describe.each(INTERFACES)("every error code of %s comes over HTTP with its status:", (name) => {
  const contract = openContract(name);
  const document = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
  const documented = errorAnswersOf(document);
  const cases = contract.operations.map((operation) => {
    const place = `${operation.method} ${operation.path}`;
    const answers = documented.filter((answer) => answer.place === `${place} ${answer.status}`);
    return { operation, title: `${name} ${operation.operationId}`, answers };
  });

  test.each(cases)("$title", async ({ operation, answers }) => {
    const faultsOf = new Map<string, string[]>();
    const met: string[] = [];
    for (const each of MISHAPS) {
      const answer = await answerTo(contract, operation, each);
      const said = `${answer.status} ${codeIn(answer.body)}`;
      met.push(`${each.name}: ${said}`);
      faultsOf.set(said, [...(faultsOf.get(said) ?? []), ...contract.faultsOf(operation, answer)]);
    }
    const wrong = answers.flatMap(({ status, codes }) =>
      codes.flatMap((code) => {
        const faults = faultsOf.get(`${status} ${code}`) ?? [`no error is answered so:\n${met.join("\n")}`];
        return [...new Set(faults)].map((fault) => `${status} ${code}: ${fault}`);
      }),
    );
    expect(wrong, `${operation.operationId} does not give the errors that spec/${name} lists`).toEqual([]);
  });
});

test("every class of errors has its place in domain-errors.ts", () => {
  expect(faultsOfErrorList()).toEqual([]);
});

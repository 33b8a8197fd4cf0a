import type fc from "fast-check";
import { brokenRequests } from "./broken-requests.ts";
import { documentedStatuses } from "./expectations.ts";
import type { FuzzShop } from "./fuzz-shop.ts";
import type { FuzzedInterface } from "./fuzzed-interface.ts";
import { describeCase, type FuzzCase, faultsOfAnswer, WrongAnswerError } from "./judge.ts";
import { checkProperty, type FuzzSettings } from "./property.ts";
import type { Spec, SpecOperation } from "./spec.ts";
import type { Tally } from "./tally.ts";
import { toRequest, validParts } from "./valid-requests.ts";

/** A property of the requests to one operation. */
export interface OperationProperty {
  /** Such as `ordering createOrder broken`. */
  readonly name: string;
  /** How many requests it takes, against the others. */
  readonly weight: number;
  /** @throws Error that shows a request which is not answered as it should be. */
  check(shop: FuzzShop, tally: Tally, settings: FuzzSettings): Promise<void>;
}

/** A request, what is wrong with it ("" when nothing), and what must hold of its answer. */
interface Attempt {
  readonly fault: string;
  readonly fuzzCase: FuzzCase;
}

const BODY_WEIGHT = 8;

/** The properties of all operations of an interface. */
export function operationProperties(spec: Spec, known: FuzzedInterface): OperationProperty[] {
  return spec.operations.flatMap((operation) => {
    const broken = brokenAttempts(spec, operation, known);
    return [
      propertyOf("valid", validAttempts(spec, operation, known), spec, operation),
      ...(broken === null ? [] : [propertyOf("broken", broken, spec, operation)]),
    ];
  });
}

function validAttempts(spec: Spec, operation: SpecOperation, known: FuzzedInterface): fc.Arbitrary<Attempt> {
  const { operationId } = operation;
  return validParts(spec, operation, known).map((parts) => {
    const usual = documentedStatuses(operation, known.mayBeRefused(operation, parts));
    const further = known.furtherStatuses[operationId] ?? [];
    const isEnded = known.endsCaller[operationId] !== undefined;
    const expected = { statuses: [...usual, ...further, ...(isEnded ? [401] : [])] };
    const request = toRequest(operation, parts);
    return { fault: "", fuzzCase: { interface: spec.name, operationId, request, expected } };
  });
}

function brokenAttempts(
  spec: Spec,
  operation: SpecOperation,
  known: FuzzedInterface,
): fc.Arbitrary<Attempt> | null {
  const { operationId } = operation;
  const broken = brokenRequests(spec, operation, known);
  if (broken === null) return null;
  return broken.map(({ fault, names, request, refusal: { status, code }, otherwise }) => {
    const expected =
      otherwise === null
        ? { statuses: [status], code, ...(names !== "" && { names }) }
        : { statuses: [status, otherwise.status] };
    return { fault, fuzzCase: { interface: spec.name, operationId, request, expected } };
  });
}

function propertyOf(
  kind: "valid" | "broken",
  values: fc.Arbitrary<Attempt>,
  spec: Spec,
  operation: SpecOperation,
): OperationProperty {
  const name = `${spec.name} ${operation.operationId} ${kind}`;
  return {
    name,
    weight: 1 + operation.allParameters.length + (operation.body === null ? 0 : BODY_WEIGHT),
    check: (shop, tally, settings) =>
      checkProperty({
        name,
        ...settings,
        values,
        async check({ fuzzCase: { request, expected } }) {
          const answer = await shop.sender.send(request);
          tally.count(kind, `${spec.name} ${operation.operationId}`, answer.status);
          const faults = faultsOfAnswer(spec, operation, expected, answer);
          if (faults.length > 0) throw new WrongAnswerError(faults, answer, shop.loggedOf(answer));
        },
        describe: ({ fault, fuzzCase }) =>
          `${fault === "" ? "" : `Broken: ${fault}\n`}${describeCase(fuzzCase)}`,
      }),
  };
}

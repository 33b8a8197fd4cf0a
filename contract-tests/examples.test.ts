import { expect, test } from "vitest";
import { INTERFACES, openContract } from "./contract.ts";

const answers = INTERFACES.flatMap((name) => {
  const contract = openContract(name);
  return contract.operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, response]) => ({
      name: `${name} ${operationId} ${status}`,
      response,
      allowed: contract.errorCodesOf(response),
    })),
  );
});

/** What an error is told by: a code, or the type of an object. */
type ApiError = { error?: string | { type: string } };

test.each(answers)("$name has an example of every error code that it allows", ({ response, allowed }) => {
  for (const { examples } of Object.values(response.content)) {
    const shown = Object.values(examples).flatMap(({ value }) => {
      const told = (value as ApiError).error ?? [];
      return typeof told === "object" && "type" in told ? told.type : told;
    });
    expect(new Set(shown)).toEqual(new Set(allowed));
  }
});

/** Every body that the documents show: of requests, whose status is null, and of answers. */
const bodies = INTERFACES.flatMap((name) => {
  const contract = openContract(name);
  return contract.operations.flatMap((operation) => {
    const { operationId, requestBody, responses } = operation;
    const contents = Object.entries(responses).map(([status, { content }]) => [status, content] as const);
    return [["request", requestBody?.content ?? {}] as const, ...contents].flatMap(([what, content]) =>
      Object.values(content).flatMap((media) =>
        Object.entries(media.examples).map(([example, { value }]) => {
          const status = what === "request" ? null : Number(what);
          return {
            name: `${name} ${operationId} ${what} ${example}`,
            contract,
            operation,
            status,
            media,
            value,
          };
        }),
      ),
    );
  });
});

/** Requests with their answers: what bears one name belongs together. */
const pairs = INTERFACES.flatMap((name) => {
  const contract = openContract(name);
  return contract.operations.flatMap(({ operationId, requestBody, responses }) => {
    const [sent] = Object.values(requestBody?.content ?? {});
    return Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content).flatMap(([mediaType, { examples }]) =>
        Object.entries(examples).flatMap(([example, { value: body }]) => {
          const request = sent?.examples[example]?.value;
          if (request === undefined) return [];
          const pair = { operationId, request, status: Number(status), mediaType, body };
          return { name: `${name} ${operationId} ${status} ${example}`, contract, pair };
        }),
      ),
    );
  });
});

test.each(pairs)("$name answers the request of its name", ({ contract, pair }) => {
  expect(contract.contradictionsBetween(pair)).toEqual([]);
});

test.each(bodies)("$name does not contradict itself", ({ contract, operation, status, media, value }) => {
  expect(contract.contradictionsIn(operation, status, media, value)).toEqual([]);
});

test.each(INTERFACES)("the examples of headers of %s fit them", (name) => {
  const contract = openContract(name);
  const faults = contract.operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.entries(response.headers).flatMap(([header, { example }]) => {
        if (example === undefined) return [];
        const answer = {
          status: Number(status),
          headers: { [header.toLowerCase()]: String(example) },
          body: "",
        };
        return contract
          .shapeFaultsOf(operation, answer)
          .filter((fault) => fault.startsWith(`header ${header} `) && !fault.endsWith(" is missing"))
          .map(
            (fault) => `${name} ${operation.operationId} ${status}: ${fault}, and its example is ${example}`,
          );
      }),
    ),
  );
  expect(faults).toEqual([]);
});

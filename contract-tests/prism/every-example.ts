import { afterAll, beforeAll, expect, test } from "vitest";
import { openContract } from "../contract.ts";
import { type RunningMock, startMock } from "./start-mock.ts";

/** What an operation gives. An error is told by its `error` in one shape of errors and by its `type` in the other. */
interface Told {
  readonly data?: unknown;
  readonly error?: {
    readonly error?: string;
    readonly type?: string;
    readonly status: number;
    readonly message: string;
    readonly retryAfterMs: number | null;
  };
}

/** An example of the document; examples of streams are none of these. */
export interface Example {
  readonly title: string;
  readonly operationId: string;
  readonly status: number;
  readonly example: string;
  readonly value: unknown;
}

type Fetch = (request: Request) => Promise<Response>;
/** Makes a call of every operation with a client that sends its requests with `fetch`. */
type CallsWith<OperationId extends string> = (
  baseUrl: string,
  fetch: Fetch,
) => Record<OperationId, () => Promise<Told>>;

/** Every example of an interface's answers in JSON. */
export function examplesOf(name: string): Example[] {
  return openContract(name).operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content["application/json"]?.examples ?? {}).map(([example, { value }]): Example => {
        const title = `${operationId} ${status} ${example}`;
        return { title, operationId, status: Number(status), example, value };
      }),
    ),
  );
}

/** Sends every request on to the mock, asking for that example. */
export function asking({ status, example }: Example): { sent: Request[]; fetch: Fetch } {
  const sent: Request[] = [];
  return {
    sent,
    fetch(request) {
      sent.push(request);
      request.headers.set("Prefer", `code=${status}, example=${example}`);
      return fetch(request);
    },
  };
}

/**
 * Adds tests that a client tells every example of every answer of its interface as it is.
 * @returns where the mock is, once tests run
 */
export function testEveryExample<OperationId extends string>(
  name: string,
  callsWith: CallsWith<OperationId>,
): () => string {
  let mock: RunningMock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.stop());
  /** What the client has told, as `createOrder 409 out_of_stock`. */
  const reportedErrors = new Set<string>();

  test.each(examplesOf(name))(
    "$title of the mock is told as it is, and nothing is sent again",
    async (example) => {
      const { operationId, status, value } = example;
      const { sent, fetch } = asking(example);
      const { data, error } = await callsWith(mock.baseUrl(name), fetch)[operationId as OperationId]();
      expect(sent).toHaveLength(1);
      if (status < 300) return expect({ data, error }).toEqual({ data: value });
      const body = value as { error: string | { type: string; message: string }; message?: string };
      expect(data).toBeUndefined();
      const words = typeof body.error === "string" ? body : body.error;
      expect(error).toMatchObject({ ...words, status });
      if (status === 429 || status === 529) expect(error?.retryAfterMs).toBeGreaterThanOrEqual(1000);
      reportedErrors.add(`${operationId} ${status} ${error?.error ?? error?.type}`);
    },
  );

  test("that is every error of every operation", () => {
    const documented = documentedErrors(name);
    expect(documented.length).toBeGreaterThan(20);
    expect([...reportedErrors].sort()).toEqual(documented.sort());
  });
  return () => mock.baseUrl(name);
}

/** Every error of every operation, as `createOrder 409 out_of_stock`. */
function documentedErrors(name: string): string[] {
  const contract = openContract(name);
  return contract.operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) =>
        contract.errorCodesOf(response).map((code) => `${operationId} ${status} ${code}`),
      ),
  );
}

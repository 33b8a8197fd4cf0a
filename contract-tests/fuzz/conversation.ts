import type { Sender } from "./request.ts";
import type { Spec } from "./spec.ts";
import type { Tally } from "./tally.ts";
import { toRequest } from "./valid-requests.ts";

/** What a request of a sequence says. */
export interface Said {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** An answer that keeps to the contract. */
export interface Reply {
  readonly status: number;
  /** The body, where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract has been looked at already.
  readonly body: any;
  readonly text: string;
}

/** Asks for an operation by its id. @throws when the answer breaks the contract, or has another status than one of those. */
export type Ask = (operationId: string, statuses: readonly number[], said?: Said) => Promise<Reply>;

/** Opens the requests of one caller, whose key is in those headers. */
export function openConversation(
  spec: Spec,
  sender: Sender,
  tally: Tally,
  key: Readonly<Record<string, string>>,
): Ask {
  return async (operationId, statuses, { path = {}, query = {}, headers = {}, body } = {}) => {
    const operation = spec.operations.find((each) => each.operationId === operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const request = toRequest(operation, {
      path: Object.fromEntries(
        Object.entries(path).map(([name, value]) => [name, encodeURIComponent(value)]),
      ),
      query: Object.entries(query).map(([name, value]) => [name, encodeURIComponent(value)]),
      headers: { ...key, ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await sender.send(request);
    tally.count("in sequences", operationId, answer.status);
    const faults = spec.contract.faultsOf(operation, answer);
    if (!statuses.includes(answer.status)) faults.push(`The status is not ${statuses.join(" or ")}.`);
    if (faults.length > 0)
      throw new Error(
        `${faults.join("\n")}\n${request.method} ${request.path} ${request.body ?? ""}\n` +
          `The answer: ${answer.status} ${answer.body.slice(0, 2_000)}`,
      );
    const isJson = answer.headers["content-type"] === "application/json";
    return { status: answer.status, body: isJson ? JSON.parse(answer.body) : null, text: answer.body };
  };
}

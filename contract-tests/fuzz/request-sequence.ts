import { headersWith } from "../contract.ts";
import type { Ask } from "./ask.ts";
import type { Sender } from "./request.ts";
import type { Spec } from "./spec.ts";
import type { Tally } from "./tally.ts";
import { toRequest } from "./valid-requests.ts";

/** Opens the requests of one caller, who sends that credential in the first way that an operation knows. */
export function openRequestSequence(spec: Spec, sender: Sender, tally: Tally, credential: string): Ask {
  return async (operationId, statuses, { path = {}, query = {}, headers = {}, body } = {}) => {
    const operation = spec.operations.find((each) => each.operationId === operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const [admission] = operation.admissions;
    const request = toRequest(operation, {
      path: Object.fromEntries(
        Object.entries(path).map(([name, value]) => [name, encodeURIComponent(value)]),
      ),
      query: Object.entries(query).map(([name, value]) => [name, encodeURIComponent(value)]),
      headers: {
        ...(admission && headersWith(admission, credential)),
        ...headers,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await sender.send(request);
    tally.count("in sequences", `${spec.name} ${operationId}`, answer.status);
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

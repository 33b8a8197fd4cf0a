import type { RawInput } from "../../http/raw-operation.ts";
import type { Caller } from "../../keys/api-key.ts";
import type { MessageRequest } from "../../messages/messages.ts";
import { HttpMessageAnswer } from "./http-message-answer.ts";

/** A call as the use cases take it, answered on the response of the request. */
export function toMessageRequest(input: RawInput<Caller>): MessageRequest {
  const { principal: caller, requestId, headers, query, body, response, signal } = input;
  return { caller, requestId, headers, query, body, signal, answer: new HttpMessageAnswer(response) };
}

import type { RawInput } from "../../http/raw-operation.ts";
import type { Caller } from "../../keys/api-key.ts";
import type { MessageBody, MessageRequest } from "../../messages/messages.ts";
import { HttpMessageAnswer } from "./http-message-answer.ts";

/** A call as the use cases take it, answered on the response of the request. */
export function toMessageRequest(input: RawInput<Caller>): MessageRequest {
  const { principal: caller, requestId, headers, query, response, signal } = input;
  // What its thread has kept of a body is what the messages have told it to keep.
  const body = input.body as MessageBody;
  return { caller, requestId, headers, query, body, signal, answer: new HttpMessageAnswer(response) };
}

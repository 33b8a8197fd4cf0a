import { toMessageRequest } from "./convert-message.ts";
import { rawOperation } from "./operation.ts";

export const createMessage = rawOperation("createMessage", (input, { messages }) =>
  messages.create(toMessageRequest(input)),
);

import { toMessageRequest } from "./convert-message.ts";
import { rawOperation } from "./operation.ts";

export const countTokens = rawOperation("countTokens", (input, { messages }) =>
  messages.countTokens(toMessageRequest(input)),
);

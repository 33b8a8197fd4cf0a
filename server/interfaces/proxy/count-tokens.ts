import type { RawHandler } from "../../http/raw-operation.ts";

export const countTokens: RawHandler = (input, { messages }) => messages.countTokens(input);

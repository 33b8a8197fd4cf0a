import type { RawHandler } from "../../http/raw-operation.ts";

export const createMessage: RawHandler = (input, { messages }) => messages.create(input);

import type { Services } from "../compose.ts";
import type { MessageRequest } from "../messages/messages.ts";

/**
 * A request that the contract allows, as it came, for an operation that writes its answer itself. Of the answer only the
 * common headers are set.
 */
export type RawInput = MessageRequest;

/**
 * Answers an operation whose answer is not one JSON value of ours, such as a stream. It throws domain errors only before
 * it has written the head of its answer, and resolves when the answer is written or given up.
 */
export type RawHandler = (input: RawInput, services: Services) => Promise<void>;

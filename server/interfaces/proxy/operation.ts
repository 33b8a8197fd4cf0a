import type { operations } from "../../../generated/proxy/types.ts";
import { operationsOf } from "../../http/operation.ts";
import type { Caller } from "../../keys/api-key.ts";
import type { ProxyServices } from "./services.ts";

/** What every answer has, by the interface's definition. */
type CommonHeader = "X-Request-Id" | "Request-Id" | `anthropic-ratelimit-requests-${string}`;

/** Tie a handler to the types of its operation. */
export const { operation, rawOperation } = operationsOf<operations, Caller, ProxyServices, CommonHeader>();

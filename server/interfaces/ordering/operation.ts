import type { operations } from "../../../generated/ordering/types.ts";
import { operationsOf } from "../../http/operation.ts";
import type { Caller } from "../../keys/api-key.ts";
import type { OrderingServices } from "./services.ts";

/** Ties a handler to the types of its operation. */
export const { operation } = operationsOf<operations, Caller, OrderingServices>();

import type { operations } from "../../../generated/guestbook/types.ts";
import { operationsOf } from "../../http/operation.ts";
import type { GuestbookServices } from "./services.ts";
import type { Guest } from "./session-admission.ts";

/** Ties a handler to the types of its operation. */
export const { operation } = operationsOf<operations, Guest, GuestbookServices>();

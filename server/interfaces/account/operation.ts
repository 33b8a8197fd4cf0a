import type { operations } from "../../../generated/account/types.ts";
import { operationsOf } from "../../http/operation.ts";
import type { Visit } from "../visit.ts";
import type { Visitor } from "../visitor.ts";
import type { AccountServices } from "./services.ts";

/** Ties a handler to the types of its operation. */
export const { operation } = operationsOf<
  operations,
  Visitor,
  AccountServices,
  "X-Request-Id",
  "signIn" | "beginPasskeySignIn" | "signInByPasskey" | "acceptInvitation",
  Visit
>();

import type { operations } from "../../../generated/operator/types.ts";
import { operationsOf } from "../../http/operation.ts";
import type { Visit } from "../visit.ts";
import type { Visitor } from "../visitor.ts";
import type { OperatorServices } from "./services.ts";

/** Ties a handler to the types of its operation. */
export const { operation } = operationsOf<
  operations,
  Visitor,
  OperatorServices,
  "X-Request-Id",
  "signIn" | "acceptInvitation",
  Visit
>();

import { accountInterface } from "./account/definition.ts";
import { operatorInterface } from "./operator/definition.ts";
import { orderingInterface } from "./ordering/definition.ts";
import { proxyInterface } from "./proxy/definition.ts";

/** Every interface of the service, each made of what it needs; what is not readable as HTTP is answered by the first. */
export const INTERFACES = [orderingInterface, proxyInterface, accountInterface, operatorInterface] as const;

/** What all of them need together. */
export type InterfaceParts = (typeof INTERFACES)[number] extends (
  parts: infer Parts,
  ...rest: never
) => unknown
  ? Parts
  : never;

import type { Config } from "../../config.ts";
import { createInterface, type Interface } from "../../http/interface.ts";
import type { InterfaceDefinition, InterfaceOptions } from "../../http/interface-definition.ts";
import { readDocument } from "../read-document.ts";
import { createVisits } from "../visit.ts";
import { toAccountErrorAnswer } from "./errors.ts";
import { ACCOUNT_HANDLERS } from "./handlers.ts";
import type { AccountServices } from "./services.ts";
import { admitBySession } from "./session-admission.ts";

/** What this interface is made of. */
interface AccountParts {
  readonly services: AccountServices;
  readonly publicUrl?: Config["publicUrl"];
  readonly trustedProxies?: Config["trustedProxies"];
}

/** The interface of the account center: it answers everything at and below /account/v1. */
export function accountInterface(
  { services, publicUrl = null, trustedProxies = [] }: AccountParts,
  options: InterfaceOptions,
): Interface {
  const visits = createVisits({ audience: "account", publicUrl, trustedProxies });
  const definition: InterfaceDefinition<AccountServices> = {
    name: "account",
    document: readDocument("account"),
    bodyLimits: { json: "64kb" },
    checkOrigin: visits.checkOrigin,
    strangerOf: visits.of,
    admit: admitBySession(services.people.sessions, visits),
    handlers: ACCOUNT_HANDLERS,
    services,
    toErrorAnswer: toAccountErrorAnswer,
  };
  return createInterface(definition, options);
}

import type { Config } from "../../config.ts";
import { createInterface, type Interface } from "../../http/interface.ts";
import type { InterfaceDefinition, InterfaceOptions } from "../../http/interface-definition.ts";
import type { People } from "../../people/people.ts";
import { readDocument } from "../read-document.ts";
import { createVisits } from "../visit.ts";
import { toOperatorErrorAnswer } from "./errors.ts";
import { OPERATOR_HANDLERS } from "./handlers.ts";
import type { OperatorServices } from "./services.ts";
import { admitOperators } from "./session-admission.ts";
import { workAsOperator } from "./work-as-operator.ts";

/** What this interface is made of. */
interface OperatorParts {
  readonly services: Omit<OperatorServices, "people" | "isSecondFactorOptional"> & {
    readonly people: { readonly operators: Pick<People["operators"], keyof OperatorServices["people"]> };
  };
  readonly operatorUrl?: Config["operatorUrl"];
  readonly operatorSecondFactor?: Config["operatorSecondFactor"];
  readonly trustedProxies?: Config["trustedProxies"];
}

/** The interface of the operator console: it answers everything at and below /operator/v1. */
export function operatorInterface(
  {
    services,
    operatorUrl: publicUrl = null,
    operatorSecondFactor = "required",
    trustedProxies = [],
  }: OperatorParts,
  options: InterfaceOptions,
): Interface {
  const visits = createVisits({ audience: "operator", publicUrl, trustedProxies });
  const isSecondFactorOptional = operatorSecondFactor === "optional";
  const people = services.people.operators;
  const definition: InterfaceDefinition<OperatorServices> = {
    name: "operator",
    document: readDocument("operator"),
    bodyLimits: { json: "64kb" },
    checkOrigin: visits.checkOrigin,
    strangerOf: visits.of,
    workAs: workAsOperator(services.clock),
    admit: admitOperators({ sessions: people.sessions, visits, isSecondFactorOptional }),
    handlers: OPERATOR_HANDLERS,
    services: { people, clock: services.clock, isSecondFactorOptional },
    toErrorAnswer: toOperatorErrorAnswer,
  };
  return createInterface(definition, options);
}

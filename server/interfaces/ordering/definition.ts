import type { Config } from "../../config.ts";
import { createInterface, type Interface } from "../../http/interface.ts";
import type { InterfaceDefinition, InterfaceOptions } from "../../http/interface-definition.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { Keys } from "../../keys/keys.ts";
import { admitByApiKey, bearerSecret } from "../api-key-admission.ts";
import { readDocument } from "../read-document.ts";
import { toOrderingErrorAnswer } from "./errors.ts";
import { ORDERING_HANDLERS } from "./handlers.ts";
import type { OrderingServices } from "./services.ts";

/** What this interface is made of. */
interface OrderingParts {
  readonly services: OrderingServices & { readonly keys: Pick<Keys, "authenticate"> };
  readonly rateLimit: RateLimit;
  /** The origins whose pages may call. */
  readonly orderingCorsOrigins?: Config["orderingCorsOrigins"];
}

/** The ordering interface: it answers everything at and below /shop, whatever its version. */
export function orderingInterface(
  { services, rateLimit, orderingCorsOrigins }: OrderingParts,
  options: InterfaceOptions,
): Interface {
  const definition: InterfaceDefinition<OrderingServices> = {
    name: "ordering",
    document: readDocument("ordering"),
    bodyLimits: { json: "64kb" },
    admit: admitByApiKey({
      keys: services.keys,
      rateLimit,
      presentedKeys: bearerSecret,
      howToAuthenticate: "Send a valid API key: Authorization: Bearer <API_KEY>.",
      countsForbiddenKeys: true,
    }),
    handlers: ORDERING_HANDLERS,
    services,
    toErrorAnswer: toOrderingErrorAnswer,
    corsOrigins: orderingCorsOrigins,
  };
  return createInterface(definition, options);
}

import type { Accounts } from "../../accounts/accounts.ts";
import { createInterface, type Interface } from "../../http/interface.ts";
import type { InterfaceDefinition, InterfaceOptions } from "../../http/interface-definition.ts";
import type { Keys } from "../../keys/keys.ts";
import { readDocument } from "../read-document.ts";
import { toGuestbookErrorAnswer } from "./errors.ts";
import { GUESTBOOK_HANDLERS } from "./handlers.ts";
import type { GuestbookServices } from "./services.ts";
import { admitBySession } from "./session-admission.ts";

/** What this interface is made of. */
interface GuestbookParts {
  readonly services: {
    readonly keys: Pick<Keys, "authenticate">;
    readonly accounts: Pick<Accounts, "get">;
  };
}

/** The guest book: it answers everything at and below /guestbook, and keeps its entries in memory. */
export function guestbookInterface({ services }: GuestbookParts, options: InterfaceOptions): Interface {
  const definition: InterfaceDefinition<GuestbookServices> = {
    name: "guestbook",
    document: readDocument("guestbook"),
    bodyLimits: { json: "16kb" },
    admit: admitBySession(services),
    handlers: GUESTBOOK_HANDLERS,
    services: { entries: new Map() },
    toErrorAnswer: toGuestbookErrorAnswer,
  };
  return createInterface(definition, options);
}

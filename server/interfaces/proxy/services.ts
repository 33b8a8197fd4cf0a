import type { Accounts } from "../../accounts/accounts.ts";
import type { Calls } from "../../calls/calls.ts";
import type { Keys } from "../../keys/keys.ts";
import type { createLedger } from "../../ledger/ledger.ts";
import type { Messages } from "../../messages/messages.ts";
import type { Models } from "../../models/models.ts";

/** The use cases that the handlers of this interface call. */
export interface ProxyServices {
  readonly accounts: Pick<Accounts, "get">;
  readonly keys: Pick<Keys, "get">;
  readonly calls: Pick<Calls, "list">;
  readonly ledger: Pick<ReturnType<typeof createLedger>, "list">;
  readonly models: Pick<Models, "offered" | "findOffered">;
  readonly messages: Pick<Messages, "create" | "countTokens">;
}

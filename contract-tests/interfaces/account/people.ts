import type { AccountId } from "../../../server/ids.ts";
import type { SignedIn } from "../../../server/people/session.ts";
import { SOMEBODY } from "../../fields/somebody.ts";

/** The account that the document's examples are about. */
export const ACCOUNT_ID = "acc_01938c8e6f2b7c3e9a4d5f6071829304" as AccountId;
/** One of its keys. */
export const KEY_ID = "key_01938c8e6f2b7c3e9a4d5f6071829305";

/** An owner of that account, who has just signed in. */
export const SIGNED_IN: SignedIn = {
  ...SOMEBODY,
  memberships: [{ accountId: ACCOUNT_ID, accountName: "Own account", role: "owner" }],
};

import type { operations } from "../../../generated/guestbook/types.ts";
import type { OperationHandlers } from "../../http/operation.ts";
import { deleteEntry } from "./delete-entry.ts";
import { exportEntries } from "./export-entries.ts";
import { getAccount } from "./get-account.ts";
import { getEntry } from "./get-entry.ts";
import { listEntries } from "./list-entries.ts";
import { putEntry } from "./put-entry.ts";
import type { GuestbookServices } from "./services.ts";

/** The handler of every operation of the guest book. */
export const GUESTBOOK_HANDLERS: OperationHandlers<operations, GuestbookServices> = {
  listEntries,
  getEntry,
  putEntry,
  deleteEntry,
  exportEntries,
  getAccount,
};

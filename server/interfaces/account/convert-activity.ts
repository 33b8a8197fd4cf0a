import type { components } from "../../../generated/account/types.ts";
import type { ActivityPage } from "../../activity/activity.ts";
import { toApiTime } from "../convert-time.ts";

export function toApiActivity({ entries, nextCursor }: ActivityPage): components["schemas"]["ActivityList"] {
  return {
    entries: entries.map((entry) => ({
      entryId: entry.activityId,
      action: entry.action,
      userId: entry.userId,
      email: entry.email,
      targetId: entry.targetId,
      targetName: entry.targetName,
      address: entry.address,
      createdAt: toApiTime(entry.createdAtMs),
    })),
    hasMore: nextCursor !== null,
    nextCursor,
  };
}

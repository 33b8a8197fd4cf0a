import type { Actor } from "../../activity/activity-entry.ts";
import type { Visitor } from "./session-admission.ts";

/** As whom the visitor's acts are recorded. */
export function actorOf({ signedIn: { user }, visit: { address } }: Visitor): Actor {
  return { userId: user.userId, email: user.email, address };
}

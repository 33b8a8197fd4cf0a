import type { SignedIn } from "../../../server/people/session.ts";
import { SOMEBODY } from "../../fields/somebody.ts";

/** An admin, who has just signed in. */
export const SIGNED_IN: SignedIn = { ...SOMEBODY, operatorRole: "admin" };

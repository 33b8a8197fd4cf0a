import type { Clock } from "../../clock.ts";
import type { People } from "../../people/people.ts";

/** The use cases that the handlers of this interface call. */
export interface OperatorServices {
  /** Those of the people who run the shop. */
  readonly people: Pick<
    People["operators"],
    "invitations" | "factors" | "sessions" | "changePassword" | "list" | "remove"
  >;
  readonly clock: Clock;
  /** Whether operators may do without a second factor. */
  readonly isSecondFactorOptional: boolean;
}

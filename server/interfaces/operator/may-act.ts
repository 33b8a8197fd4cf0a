import type { SignedIn } from "../../people/session.ts";

/** Whether an operator's role is of use in a session: not before the second factor, where the shop wants one. */
export function mayAct(
  { session, secondFactors }: SignedIn,
  { isSecondFactorOptional }: { readonly isSecondFactorOptional: boolean },
): boolean {
  return !session.awaitsFactor && (isSecondFactorOptional || secondFactors.length > 0);
}

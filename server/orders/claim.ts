import { randomBytes } from "node:crypto";

const RANDOM_BYTES = 16;
/** Stands between the id and the rest. */
export const CLAIM_SEPARATOR = ".";

/** A new claim of a process on a purchase: its id, and what no other claim has. At most 40 characters of ASCII. */
export function newClaim(processId: string): string {
  return `${processId}${CLAIM_SEPARATOR}${randomBytes(RANDOM_BYTES).toString("base64url")}`;
}

/** The id of the process that made a claim; of releases before this one, something that is no process's id. */
export function claimantOf(claim: string): string {
  return claim.slice(0, Math.max(0, claim.indexOf(CLAIM_SEPARATOR)));
}

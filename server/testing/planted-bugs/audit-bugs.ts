import type { PlantedBug } from "./planted-bug.ts";

const AUDIT_TEST = "server/audit/audit.test.ts";

/** Faults of the audit: each lets wrong books pass. */
export const AUDIT_BUGS: readonly PlantedBug[] = [
];

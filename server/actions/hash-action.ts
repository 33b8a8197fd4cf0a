import { createHash } from "node:crypto";
import type { Action } from "./action.ts";

/**
 * The hash of an action: SHA-256 over the hash of the one before it, as 64 hex digits, a line feed, and the action as a JSON
 * array without white space. Numbers are in decimal digits as texts, and before and after as the texts that are kept.
 */
export function hashAction(previousHash: Buffer, action: Action): Buffer {
  const { actor } = action;
  const fields = [
    String(action.sequence),
    String(action.createdAtMs),
    ...[actor.kind, actor.id, actor.name],
    ...[action.operation, action.targetKind, action.targetId],
    ...[action.before, action.after, action.reason, action.requestId],
  ];
  return createHash("sha256")
    .update(`${previousHash.toString("hex")}\n${JSON.stringify(fields)}`)
    .digest();
}

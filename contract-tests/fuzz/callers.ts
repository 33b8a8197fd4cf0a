import { type KeyKind, SCOPES } from "../../server/keys/api-key.ts";
import type { Admission, Operation } from "../contract.ts";

/** A caller whom the service admits. */
export interface Caller {
  /** The name that stands for the credential in requests. */
  readonly credential: string;
  readonly scopes: readonly string[];
}

/** The name that stands for an API key of a kind. */
export function keyName(kind: KeyKind | "revoked"): string {
  return `SHOP_KEY_${kind.toUpperCase()}`;
}

/** Holders of API keys of every kind. */
export const API_KEY_CALLERS: readonly Caller[] = (Object.keys(SCOPES) as KeyKind[]).map((kind) => ({
  credential: keyName(kind),
  scopes: SCOPES[kind],
}));

/** The callers that have all of the scopes. */
export function callersWith(callers: readonly Caller[], scopes: readonly string[]): readonly Caller[] {
  return callers.filter((caller) => scopes.every((scope) => caller.scopes.includes(scope)));
}

/** Those whom an interface lets in; see `FuzzedInterface`. */
interface KnownCallers {
  readonly callers: readonly Caller[];
  readonly endsCaller: Readonly<Record<string, string>>;
}

/** The names of the credentials that an operation is asked for with when it is to be let in. */
export function credentialsFor(
  { operationId }: Pick<Operation, "operationId">,
  admission: Admission | undefined,
  { callers, endsCaller }: KnownCallers,
): string[] {
  const own = endsCaller[operationId];
  if (own !== undefined) return [own];
  return callersWith(callers, admission?.scopes ?? []).map(({ credential }) => credential);
}

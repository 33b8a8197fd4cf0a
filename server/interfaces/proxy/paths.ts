import { type DomainError, NotFoundError } from "../../errors.ts";

/** What the vendor has and this service has not, and the dialects of other vendors, by how their paths begin. */
const NOT_OFFERED: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/messages\/batches(?:\/|$)/, "Message batches are"],
  [/^\/v1\/files(?:\/|$)/, "Files are"],
  [/^\/v1\/skills(?:\/|$)/, "Skills are"],
  [/^\/v1\/complete$/, "Text completions are"],
  [/^(?:\/v1)?\/(?:chat\/completions|completions|responses|embeddings)(?:\/|$)/, "The OpenAI dialect is"],
  [
    /^\/v1\/(?:organizations?|agents|sessions|environments|vaults|memory_stores|user_profiles)(?:\/|$)/,
    "This is",
  ],
];

/** A model that is told of by its id, which may hold slashes that a program has not escaped. */
const MODEL = /^\/v1\/models\/(.+)$/;

/** What a path ends in that was meant for this service, with another base URL before it. */
const KNOWN_END = /(\/messages(?:\/count_tokens)?|\/models(?:\/[^/]+)?|\/me|\/usage|\/ledger)$/;

/** What nearly all requests are for. */
const MESSAGES_PATH = "/v1/messages";

/** There is nothing at a path, and the caller is told what was probably meant. */
class WrongPathError extends NotFoundError {
  constructor(path: string, message: string) {
    super("path", path);
    this.message = message;
  }
}

/**
 * The documented form of a path that programs write in several ways: `/v1` twice, of those that are given a base URL with
 * it and add their own, several slashes where parts with slashes were put together, and a slash at the end.
 */
export function toProxyPath(path: string): string {
  if (path === MESSAGES_PATH) return path;
  const single = path.replace(/\/{2,}/g, "/").replace(/^\/v1(?:\/v1)+(?=\/)/, "/v1");
  return single.replace(/(?<=.)\/$/, "");
}

/** What is said of a path at which the AI proxy has nothing; null where nothing is known of what was meant. */
export function unknownProxyPath(path: string): DomainError | null {
  const [, what] = NOT_OFFERED.find(([pattern]) => pattern.test(path)) ?? [];
  if (what !== undefined)
    return new WrongPathError(
      path,
      `${what} not offered by this shop. POST /v1/messages generates messages.`,
    );
  const [, modelId] = MODEL.exec(path) ?? [];
  if (modelId !== undefined) return new NotFoundError("model", decoded(modelId));
  const [, end] = KNOWN_END.exec(path) ?? [];
  if (end === undefined || path === `/v1${end}`) return null;
  return new WrongPathError(
    path,
    `There is nothing at ${JSON.stringify(path)}; the path is /v1${end}. Set your program's base URL to the root of this service, or to the root with /v1 where the program adds no version by itself.`,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import createClient from "openapi-fetch";
import type { paths } from "../../../generated/account/types.ts";
import { Fault } from "./fault.ts";
import { interrupt, isInterruption, whileShown } from "./interruptions.ts";

/** The interface of the account center, typed by its document. */
export const client = createClient<paths>({ baseUrl: "/account/v1" });

/** What openapi-fetch gives for an answer. */
interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Asks once. @throws {Fault} whatever is no success */
export async function askOnce<Data>(ask: () => Promise<Answered<Data>>): Promise<Data> {
  const answered = await ask().catch((reason: unknown) => {
    // The page does not want the answer any more.
    if (reason instanceof DOMException && reason.name === "AbortError") throw reason;
    throw new Fault(reason instanceof SyntaxError ? "unreadable_answer" : "no_answer");
  });
  const { data, error, response } = answered;
  if (!response.ok) throw Fault.of(error, response);
  return data as Data;
}

/**
 * Asks, and asks again once the person has given what was missing: a session, its second factor, or a recent one. What they have
 * typed stays where it is. Nobody is asked for what a page lacks that has been left.
 * @throws {Fault} whatever is no success
 */
export async function ask<Data>(asking: () => Promise<Answered<Data>>): Promise<Data> {
  const shown = whileShown();
  for (;;) {
    try {
      return await askOnce(asking);
    } catch (reason) {
      if (shown.aborted || !(reason instanceof Fault) || !isInterruption(reason.code)) throw reason;
      await interrupt(reason.code, reason);
    }
  }
}

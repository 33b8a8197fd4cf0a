import type { Request, Response } from "express";
import { beforeDeadline, DEADLINE_MS } from "./deadline.ts";
import { StoppingError } from "./errors.ts";
import { contextOf } from "./request-context.ts";

/**
 * How an interface lets callers in: decides by the request who it is and whether the scopes that the document asks for are
 * theirs, counts it against a limit where the interface has one, and may set headers of the answer. Gives the principal as
 * handlers get it.
 * @throws the domain error that the interface answers a refusal with
 */
export type Admission<Principal> = (
  req: Request,
  res: Response,
  scopes: readonly string[],
) => Promise<Principal>;

/**
 * Makes what the validator asks whether a request may pass. It is asked before the request is looked at, with the scopes
 * of the document, and reads the body of a request that is let in, so that no other can make the service read any. Why it
 * refused is left in the request's context.
 */
export function createSecurityHandler(
  admit: Admission<unknown>,
  readBody: (req: Request, res: Response) => Promise<void>,
) {
  async function admitRequest(req: Request, res: Response, scopes: readonly string[]): Promise<void> {
    const context = contextOf(res);
    context.principal = await beforeDeadline(admit(req, res, scopes), DEADLINE_MS, context.waiting);
    if (context.isTooLate) throw new StoppingError();
    await readBody(req, res);
  }

  return (req: Request, scopes: readonly string[]): Promise<boolean> => {
    if (req.res === undefined) throw new Error("A request has no response.");
    const context = contextOf(req.res);
    context.admission ??= admitRequest(req, req.res, scopes).then(
      () => true,
      (error: unknown) => {
        context.refusal = error;
        return false;
      },
    );
    return context.admission;
  };
}

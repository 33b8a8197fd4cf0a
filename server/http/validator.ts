import type { NextFunction, Request, RequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import documentJudges from "express-openapi-validator/dist/framework/openapi.schema.validator.js";
import { createSecurityHandler } from "./admission.ts";
import { documentOfPath, type OpenApiDocument } from "./document.ts";
import type { InterfaceDefinition, InterfaceOptions } from "./interface-definition.ts";
import { contextOf } from "./request-context.ts";

// Every validator would compile the schema of all OpenAPI documents, to judge its own with it, also when it is told not to
// judge it. That is most of the time that making one takes, and no request may be answered meanwhile.
Object.assign(documentJudges, {
  OpenAPISchemaValidator: class {
    validate(): never {
      throw new Error("Documents are judged when they are made: `npm run spec:check`.");
    }
  },
});

/**
 * Makes the validator of one path of a document; `readBody` reads the body of a request that is let in.
 *
 * The validator compiles the pattern of every path of its document on every request, so each path gets its own one. It
 * also takes a while to begin with, the longer the more its document holds, which is too long for paths that no client
 * calls: it is made when the first request comes.
 */
export function validatorOf(
  document: OpenApiDocument,
  path: string,
  readBody: Parameters<typeof createSecurityHandler>[1],
  { admit, toErrorAnswer }: Pick<InterfaceDefinition<never>, "admit" | "toErrorAnswer">,
  { validateResponses, logger }: InterfaceOptions,
): RequestHandler {
  return lazyHandlers(
    () =>
      OpenApiValidator.middleware({
        apiSpec: documentOfPath(document, path),
        validateApiSpec: false,
        fileUploader: false,
        validateSecurity: { handlers: { key: createSecurityHandler(admit, readBody) } },
        validateResponses: validateResponses && {
          onError(fault: Error, sent: Record<string, unknown>, req: Request) {
            const { res } = req;
            const context = res && contextOf(res);
            const operationId = context?.operation?.operationId;
            const requestId = context?.requestId;
            logger.error({ fault: fault.message, operationId, requestId }, "response breaks the contract");
            if (res === undefined) return;
            const answer = toErrorAnswer(fault, { requestId: "" });
            res.status(answer.status);
            for (const name of Object.keys(sent)) delete sent[name];
            Object.assign(sent, answer.body);
          },
        },
      }) as RequestHandler[],
  );
}

/** One handler in place of several that follow each other, which are made when the first request comes. */
function lazyHandlers(make: () => readonly RequestHandler[]): RequestHandler {
  let handlers: readonly RequestHandler[] | null = null;
  return (req, res, next) => {
    handlers ??= make();
    const [...steps] = handlers;
    const proceed: NextFunction = (error?: unknown) => {
      const step = error === undefined ? steps.shift() : undefined;
      if (step === undefined) next(error);
      else step(req, res, proceed);
    };
    proceed();
  };
}

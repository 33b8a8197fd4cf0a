import { randomUUID } from "node:crypto";
import { maxHeaderSize } from "node:http";
import express, { type Express } from "express";
import type { Logger } from "pino";
import type { Waiting } from "./deadline.ts";
import { createDocs, type Documentation, leadBrowsersTo } from "./docs/docs.ts";
import { BadRequestError, StoppingError } from "./errors.ts";
import { inSequence } from "./in-sequence.ts";
import type { Interface } from "./interface.ts";
import type { AnswerConnectionFault, ConnectionFault } from "./listen.ts";
import type { Metrics } from "./metrics.ts";
import { ownerFinder } from "./owner.ts";
import { createPages } from "./pages/pages.ts";
import { originForm } from "./path.ts";
import { contextOf } from "./request-context.ts";
import { requestId } from "./request-id.ts";
import { requestLog } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";

interface AppDependencies {
  /** In any order; what is not readable as HTTP, not even its path, is answered by the first. */
  readonly interfaces: readonly Interface[];
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whether a text may hold a key, which must not be logged; nothing is one when not given. */
  readonly mayBeKey?: ((text: string) => boolean) | undefined;
  /** What is shown at /docs; null shows nothing there. */
  readonly documentation: Documentation | null;
  /** The names of the web pages that it serves; none when not given. */
  readonly pages?: readonly string[];
}

/** The paths below which the documentation looks for its own; what calls the interfaces is spared that. */
const DOCS = /^\/(?:$|docs)/;

/** What serves a port; see {@link listen}. */
export interface App {
  readonly app: Express;
  /** Answers what is not readable as HTTP, or not to its end, as the interface does that it seems to be meant for. */
  readonly answerConnectionFault: AnswerConnectionFault;
  /** From now on every request is answered with a 503 that says when to come again. */
  refuseRequests(): void;
  /** Answers the same to those who wait for something; what has been begun for them goes on. */
  answerWaiting(): void;
}

/** What an interface is told of a request that does not reach it. */
const FAULTS: Readonly<Record<ConnectionFault, unknown>> = {
  timed_out: { status: 408 },
  head_too_large: new BadRequestError(
    `The request's line and headers are larger than ${maxHeaderSize / 1024} KiB.`,
  ),
  unreadable: new BadRequestError("The request is not readable as HTTP."),
};

/** The whole public HTTP application: what all share, the documentation, the web pages, then the interfaces, each with what it owns. */
export function createApp({
  interfaces,
  metrics,
  logger,
  documentation,
  pages = [],
  mayBeKey = () => false,
}: AppDependencies): App {
  const ownerOf = ownerFinder(interfaces);
  const documentedBases = interfaces.flatMap((one) => one.documentedBases);
  const app = express();
  const waiting: Waiting = new Set();
  let isStopping = false;
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");
  app.use(inSequence([originForm, requestId(mayBeKey), requestLog({ logger, metrics }), securityHeaders()]));
  if (documentation !== null) {
    // A person looks for the page that is for people first.
    const docs = inSequence([leadBrowsersTo(`${pages[0] ?? "docs"}/`), createDocs(documentation)]);
    app.use((req, res, next) => (DOCS.test(req.path) ? docs(req, res, next) : next()));
  }
  for (const name of pages) app.use(createPages({ name }));
  app.use((req, res, next) => {
    const owner = ownerOf(req.path);
    if (owner === undefined) return void res.status(404).end();
    const context = contextOf(res);
    context.interfaceName = owner.name;
    context.documentedBases = documentedBases;
    context.isTooLate = isStopping;
    context.waiting = waiting;
    owner.router(req, res, next);
  });
  return {
    app,
    answerConnectionFault(fault, path) {
      const owner = (path === null ? undefined : ownerOf(path)) ?? interfaces[0];
      if (owner === undefined) throw new Error("There is no interface.");
      const requestId = randomUUID();
      const { status, headers, body } = owner.answerUnread(FAULTS[fault], requestId);
      logger.info({ requestId, interface: owner.name, status, fault }, "request answered unread");
      return { status, headers: { "X-Request-Id": requestId, ...headers }, body };
    },
    refuseRequests() {
      isStopping = true;
    },
    answerWaiting() {
      for (const answer of waiting) answer(new StoppingError());
    },
  };
}

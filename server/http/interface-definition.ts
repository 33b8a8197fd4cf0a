import type { Request } from "express";
import type { Logger } from "pino";
import type { DomainError } from "../errors.ts";
import type { Admission } from "./admission.ts";
import type { BodyLimits } from "./body.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { OpenApiDocument } from "./document.ts";
import type { ToErrorAnswer } from "./fault.ts";
import type { EarlyField } from "./json-body.ts";
import type { OperationHandler } from "./operation.ts";

/** What every interface is given. */
export interface InterfaceOptions {
  readonly validateResponses: boolean;
  readonly logger: Logger;
  /** One for the whole process. */
  readonly bodyMemory: BodyMemory;
}

/** Headers by their names, for an answer to the request of that X-Request-Id. */
export type ExtraHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** Does the work of a request that came with that X-Request-Id as its principal's. */
export type WorkAs = <T>(principal: unknown, requestId: string, work: () => Promise<T>) => Promise<T>;

/** What makes an interface differ from the others. */
export interface InterfaceDefinition<Services> {
  /** What the request log and the metrics call it. */
  readonly name: string;
  /** Its contract, which is adapted to the validator. The URL of its first server says what it owns. */
  readonly document: OpenApiDocument;
  readonly bodyLimits: BodyLimits;
  readonly admit: Admission<unknown>;
  /** Asked first of every request to an operation, also to one that is open; throws what that is refused with. */
  readonly checkOrigin?: (req: Request) => void;
  /** What handlers of open operations get as their principal: what a request says of who has sent it. */
  readonly strangerOf?: (req: Request) => unknown;
  /** Does the work of a request as its principal's; without it, work is nobody's in particular. */
  readonly workAs?: WorkAs;
  /** Asked before more than 64 KiB of JSON are read from a principal; throws what that is refused with. */
  readonly admitLargeBody?: (principal: unknown) => Promise<void>;
  /** The module of a thread that judges the bodies of raw operations which hold many values; see `judgeBodies`. */
  readonly judgingThread?: URL;
  /** A field of such bodies that is looked at as soon as it has come, before the rest is read and judged. */
  readonly earlyField?: EarlyField;
  /** Headers of all its answers, beside those that every interface has. */
  readonly extraHeaders?: ExtraHeaders;
  /** By operationId. */
  readonly handlers: Readonly<Record<string, OperationHandler<string, Services>>>;
  /** What its handlers call. */
  readonly services: Services;
  readonly toErrorAnswer: ToErrorAnswer;
  /** The documented form of a path that callers write in several ways; paths are taken as they are without it. */
  readonly toOwnPath?: (path: string) => string;
  /**
   * What is said of a path at which there is nothing, since the document does not know it or no id is so written; null, as
   * without it: what documented paths begin with.
   */
  readonly unknownPath?: (path: string) => DomainError | null;
  /** The origins whose pages may call, such as `https://app.example`; none without it. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** What an answer's header is called whose name the operator may choose, by its documented name. */
  readonly toOwnHeader?: (name: string) => string;
}

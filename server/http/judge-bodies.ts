import { parse as parseQuery } from "node:querystring";
import { parentPort } from "node:worker_threads";
import type { RequestHandler } from "express";
import type { BodyExtract, ContractFault, JudgedRequest, Judgement, Question, Reply } from "./body-judge.ts";
import { adaptToValidator, type OpenApiDocument } from "./document.ts";
import { BadRequestError } from "./errors.ts";
import { isJsonObject, notAnObject } from "./json-body.ts";
import { parseAtOnce } from "./parse-at-once.ts";
import { bodyValidatorOf } from "./validator.ts";

/**
 * Judges bodies in this thread, each as the event loop would: parsed, held against the contract, and then extracted.
 * @param extractOf what is kept of one that fits its contract.
 */
export function judgeBodies(
  document: OpenApiDocument,
  extractOf: (json: unknown, bytes: Buffer) => BodyExtract,
): void {
  if (parentPort === null) throw new Error("Bodies are judged in a thread.");
  const port = parentPort;
  adaptToValidator(document);
  port.on("message", async ({ request, bytes, values }: Question) => {
    const { buffer, byteOffset, length } = bytes;
    const reply: Reply = await judge(request, Buffer.from(buffer, byteOffset, length), values).catch(textOf);
    port.postMessage(reply);
  });

  async function judge(request: JudgedRequest, bytes: Buffer, values: number): Promise<Judgement> {
    const json = parse(bytes, values);
    if (json instanceof BadRequestError) return { kind: "unreadable", message: json.message };
    const fault = await faultOf(bodyValidatorOf(document, request.documentedPath), request, json);
    if (fault !== null) return { kind: "breaks the contract", fault };
    return { kind: "fits", extract: extractOf(json, bytes) };
  }
}

/** What a body says, as the event loop would read it, or what is wrong with it. */
function parse(bytes: Buffer, values: number): unknown {
  try {
    const json = parseAtOnce(bytes, values);
    return isJsonObject(json) ? json : notAnObject();
  } catch (error) {
    if (error instanceof BadRequestError) return error;
    throw error;
  }
}

/** What the validator asks of an application: paths are taken as they are written. */
const APP = { enabled: () => true, param() {} };

/** What the validator finds, to which a request is shown that has what it looks at. */
function faultOf(
  validate: RequestHandler,
  { method, originalUrl, headers }: JudgedRequest,
  body: unknown,
): Promise<ContractFault | null> {
  const [path = "", ...rest] = originalUrl.split("?");
  const query = parseQuery(rest.join("?"));
  const request = {
    method,
    originalUrl,
    url: originalUrl,
    path,
    baseUrl: "",
    headers,
    query,
    body,
    app: APP,
  };
  return new Promise((resolve, reject) => {
    validate(request as never, {} as never, (error?: unknown) => {
      if (error === undefined) return resolve(null);
      const { status, message, headers, errors } = error as Partial<ContractFault>;
      if (status === undefined || message === undefined) return reject(error);
      resolve({ status, message, ...(headers && { headers }), ...(errors && { errors }) });
    });
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

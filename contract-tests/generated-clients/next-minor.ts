import type { RequestListener } from "node:http";
import { follow, type Json } from "../../spec/tools/follow.ts";

const FIELD = "addedInNextMinor";
const HEADER = "X-Added-In-Next-Minor";

/** The document of the next minor version: every answer has one more field and header, every operation takes one more parameter. */
export function nextMinorOf(document: Json): Json {
  const next: Json = structuredClone(document);
  for (const item of Object.values<Json>(next.paths)) {
    for (const operation of Object.values<Json>(item).filter(({ responses }) => responses !== undefined)) {
      operation.parameters = [
        ...(operation.parameters ?? []),
        { name: FIELD, in: "query", required: false, schema: { type: "string" } },
      ];
      for (const response of Object.values<Json>(operation.responses)) {
        const { headers = {}, content = {} } = follow(next, response);
        headers[HEADER] = { required: true, schema: { type: "string" } };
        for (const { schema } of Object.values<Json>(content)) addField(next, schema);
      }
    }
  }
  return next;
}

/** Gives each object of an answer a required field. */
function addField(document: Json, part: Json): void {
  const schema = follow(document, part);
  if (schema?.properties?.[FIELD] !== undefined) return;
  if (schema?.properties !== undefined) {
    for (const inner of Object.values<Json>(schema.properties)) addField(document, inner);
    schema.properties[FIELD] = { type: "string" };
    schema.required = [...(schema.required ?? []), FIELD];
  }
  if (schema?.items !== undefined) addField(document, schema.items);
}

/** What stands between buyers and a service of today. */
export interface Front {
  readonly listener: RequestListener;
  /** Whether it answers as the next minor version does; as the service has answered otherwise. */
  isNextMinor: boolean;
}

/** A front of the service that is at `serviceUrl`, which can answer as the next minor version does. */
export function frontOf(serviceUrl: string): Front {
  const front: Front = {
    isNextMinor: false,
    async listener(request, response) {
      const body = await new Response(request).text();
      const answer = await fetch(serviceUrl + request.url, {
        method: request.method ?? "GET",
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          name === "authorization" || name === "content-type" ? [[name, String(value)]] : [],
        ),
        ...(body === "" ? {} : { body }),
      });
      const text = await answer.text();
      response.writeHead(answer.status, {
        "Content-Type": "application/json",
        ...(front.isNextMinor ? { [HEADER]: "new" } : {}),
      });
      response.end(front.isNextMinor ? JSON.stringify(withField(JSON.parse(text))) : text);
    },
  };
  return front;
}

/** Each object of a value with one more field. */
function withField(value: Json): Json {
  if (Array.isArray(value)) return value.map(withField);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries<Json>(value).map(([name, inner]) => [name, withField(inner)]);
  return { ...Object.fromEntries(fields), [FIELD]: "new" };
}

import type { OpenApiDocument } from "../http/document.ts";

// A made-up contract that has what no interface of the service has yet, and its types as openapi-typescript writes them.

export interface Note {
  id: string;
  text: string;
}

interface RequestId {
  "X-Request-Id": string;
  [name: string]: unknown;
}

interface Failure {
  headers: RequestId;
  content: { "application/json": { error: string } };
}

interface NoteParameters {
  query?: never;
  path: { id: string };
  cookie?: never;
}

export interface NoteOperations {
  createSession: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { "application/json": { password: string } } };
    responses: {
      204: { headers: RequestId & { "Set-Cookie": string }; content?: never };
      400: Failure;
      401: Failure;
    };
  };
  listNotes: {
    parameters: { query?: { limit?: number }; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: RequestId; content: { "application/json": { notes: Note[]; owner: string } } };
      400: Failure;
      401: Failure;
    };
  };
  getNote: {
    parameters: NoteParameters & { header?: { "If-None-Match"?: string } };
    requestBody?: never;
    responses: {
      200: { headers: RequestId & { ETag: string }; content: { "application/json": Note } };
      304: { headers: RequestId & { ETag: string }; content?: never };
      401: Failure;
      404: Failure;
    };
  };
  putNote: {
    parameters: NoteParameters & { header?: { "If-Match"?: string } };
    requestBody: { content: { "application/json": { text: string } } };
    responses: {
      200: { headers: RequestId & { ETag: string }; content: { "application/json": Note } };
      201: { headers: RequestId & { ETag: string; Location: string }; content: { "application/json": Note } };
      400: Failure;
      401: Failure;
      412: Failure;
      428: Failure;
    };
  };
  patchNote: {
    parameters: NoteParameters & { header?: never };
    requestBody?: { content: { "application/json": { text?: string } } };
    responses: {
      200: { headers: RequestId; content: { "application/json": Note } };
      400: Failure;
      401: Failure;
    };
  };
  deleteNote: {
    parameters: NoteParameters & { header?: never };
    requestBody?: never;
    responses: { 204: { headers: RequestId; content?: never }; 401: Failure };
  };
  countNotes: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      202: {
        headers: RequestId & { Location: string; "Retry-After"?: number };
        content: { "application/json": { state: "running" } };
      };
      401: Failure;
    };
  };
  exportNotes: {
    parameters: { query?: { format?: "csv" | "json" }; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: RequestId & { "Content-Disposition"?: string };
        content: { "text/csv": string; "application/json": { notes: Note[] } };
      };
      400: Failure;
      401: Failure;
      500: Failure;
    };
  };
  importNotes: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { "text/plain": string; "text/csv": string } };
    responses: {
      200: { headers: RequestId; content: { "application/json": { characters: number; pieces: number } } };
      400: Failure;
      401: Failure;
    };
  };
}

const failure = {
  description: "A failure.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
};
const json = (schema: object, headers: object = {}) => ({
  description: "Success.",
  headers,
  content: { "application/json": { schema } },
});
const empty = { description: "Success." };
const note = { $ref: "#/components/schemas/Note" };
const text = { schema: { type: "string" } };
const header = (name: string) => ({ name, in: "header", required: false, schema: { type: "string" } });
const fields = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  additionalProperties: false,
});
const failures = (...statuses: number[]) => Object.fromEntries(statuses.map((status) => [status, failure]));
const counts = { type: "object", additionalProperties: { type: "integer" } };

/** The document of {@link NoteOperations}, freshly made. */
export function notesDocument(basePath: string): OpenApiDocument {
  const document = {
    openapi: "3.1.0",
    info: { title: "Notes", version: "1.0.0" },
    servers: [{ url: basePath }],
    security: [{ session: ["notes"] }],
    paths: {
      "/session": {
        post: {
          operationId: "createSession",
          security: [],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { ...fields("password"), required: ["password"] } } },
          },
          responses: { 204: empty, ...failures(400, 401) },
        },
      },
      "/notes": {
        get: {
          operationId: "listNotes",
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 9, default: 3 } },
          ],
          responses: { 200: json({ type: "object" }), ...failures(400, 401) },
        },
      },
      "/notes/{id}": {
        parameters: [{ $ref: "#/components/parameters/Id" }],
        get: {
          operationId: "getNote",
          parameters: [header("If-None-Match")],
          responses: { 200: json(note), 304: empty, ...failures(401, 404) },
        },
        put: {
          operationId: "putNote",
          parameters: [header("If-Match")],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { ...fields("text"), required: ["text"] } } },
          },
          responses: { 200: json(note), 201: json(note), ...failures(400, 401, 412, 428) },
        },
        patch: {
          operationId: "patchNote",
          requestBody: { required: false, content: { "application/json": { schema: fields("text") } } },
          responses: { 200: json(note), ...failures(400, 401) },
        },
        delete: { operationId: "deleteNote", responses: { 204: empty, ...failures(401) } },
      },
      "/notes/count": {
        post: {
          operationId: "countNotes",
          responses: { 202: json(fields("state")), ...failures(401) },
        },
      },
      "/export": {
        get: {
          operationId: "exportNotes",
          parameters: [{ name: "format", in: "query", schema: { type: "string", enum: ["csv", "json"] } }],
          responses: {
            200: {
              description: "Success.",
              content: { "text/csv": text, "application/json": { schema: { type: "object" } } },
            },
            ...failures(400, 401, 500),
          },
        },
      },
      "/import": {
        put: {
          operationId: "importNotes",
          requestBody: { required: true, content: { "text/plain": text, "text/csv": text } },
          responses: { 200: json(counts), ...failures(400, 401) },
        },
      },
    },
    components: {
      parameters: {
        Id: { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^[a-z]{1,9}$" } },
      },
      schemas: {
        Failure: { type: "object", properties: { error: { type: "string" } }, required: ["error"] },
        Note: { ...fields("id", "text"), required: ["id", "text"] },
      },
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "session" } },
    },
  };
  return document as unknown as OpenApiDocument;
}

import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DomainError, NotFoundError } from "../errors.ts";
import { type NoteOperations, notesDocument } from "../testing/notes-document.ts";
import { createApp } from "./app.ts";
import { createBodyMemory } from "./body-memory.ts";
import { cookiesOf } from "./cookies.ts";
import { errorAnswers } from "./fault.ts";
import { createInterface, type Interface } from "./interface.ts";
import type { InterfaceDefinition } from "./interface-definition.ts";
import { type Listening, listen } from "./listen.ts";
import { createMetrics } from "./metrics.ts";
import { type OperationHandlers, operationsOf } from "./operation.ts";
import { contextOf } from "./request-context.ts";

// What the engine can do is shown with a made-up contract, of notes that are written in sessions.

const MEBIBYTE = 1024 ** 2;

/** Whom the sessions are of. */
interface Writer {
  readonly name: string;
}

interface Notes {
  readonly texts: Map<string, string>;
  /** What is exported, piece by piece. */
  pieces(): AsyncIterable<string>;
}

class Refused extends DomainError {
  readonly code: "unauthorized" | "changed_meanwhile" | "precondition_required";

  constructor(code: Refused["code"]) {
    super("No.");
    this.code = code;
  }
}

const STATUS: Readonly<Record<string, number>> = {
  bad_request: 400,
  unauthorized: 401,
  invalid_input: 400,
  not_found: 404,
  changed_meanwhile: 412,
  deadline_passed: 503,
  precondition_required: 428,
};

const toErrorAnswer = errorAnswers({
  ofDomain: ({ code, message }) => {
    const status = STATUS[code];
    return status === undefined ? null : { status, headers: {}, body: { error: code, message } };
  },
  ofRequest: ({ status }) => ({ error: `request_${status}` }),
  ofUnexpected: () => ({ error: "unexpected" }),
});

const { operation } = operationsOf<NoteOperations, Writer, Notes, "X-Request-Id", "createSession">();

const createSession = operation("createSession", async ({ body, principal }, _services, answer) => {
  const nobody: undefined = principal;
  if (body.password !== "open") throw new Refused("unauthorized");
  return answer(204, nobody, { "Set-Cookie": "session=anna; HttpOnly; Path=/" });
});

const listNotes = operation("listNotes", async ({ principal, query }, { texts }) => ({
  notes: [...texts].slice(0, query.limit).map(([id, text]) => ({ id, text })),
  owner: principal.name,
}));

const getNote = operation("getNote", async ({ path, headers }, { texts }, answer) => {
  const text = texts.get(path.id);
  if (text === undefined) throw new NotFoundError("note", path.id);
  const ETag = tagOf(text);
  if (headers["If-None-Match"] === ETag) return answer(304, undefined, { ETag });
  return answer(200, { id: path.id, text }, { ETag });
});

const putNote = operation("putNote", async ({ path: { id }, body: { text }, headers }, { texts }, answer) => {
  const known = texts.get(id);
  if (known !== undefined && headers["If-Match"] === undefined) throw new Refused("precondition_required");
  if (known !== undefined && headers["If-Match"] !== tagOf(known)) throw new Refused("changed_meanwhile");
  texts.set(id, text);
  const ETag = tagOf(text);
  return known === undefined
    ? answer(201, { id, text }, { ETag, Location: `notes/${id}` })
    : answer(200, { id, text }, { ETag });
});

const patchNote = operation("patchNote", async ({ path: { id }, body }, { texts }) => {
  const text = body?.text ?? texts.get(id) ?? "";
  texts.set(id, text);
  return { id, text };
});

const deleteNote = operation("deleteNote", async ({ path }, { texts }, answer) => {
  texts.delete(path.id);
  return answer(204);
});

const countNotes = operation("countNotes", async (_input, _services, answer) =>
  answer(202, { state: "running" }, { Location: "counts/1", "Retry-After": 2 }),
);

const exportNotes = operation("exportNotes", async ({ query }, { pieces, texts }, answer) => {
  if (query.format === "json") {
    const notes = [...texts].map(([id, text]) => ({ id, text }));
    return answer(200, { notes }, { "Content-Type": "application/json" });
  }
  return answer(200, wholeText ?? pieces(), {
    "Content-Type": "text/csv",
    "Content-Disposition": 'attachment; filename="notes.csv"',
  });
});

const importNotes = operation("importNotes", async ({ body }, { texts }) => {
  let [characters, pieces] = [0, 0];
  for await (const piece of body) {
    characters += piece.length;
    pieces += 1;
    texts.set("last piece", piece);
    if (piece.startsWith("STOP")) break;
  }
  return { characters, pieces };
});

// What the document lacks does not compile: a status, a body, a header; nor does an answer that lacks a header.
operation("countNotes", async (_input, _services, answer) => {
  // @ts-expect-error: it documents no 200.
  answer(200, { state: "running" });
  // @ts-expect-error: its body has another state.
  answer(202, { state: "done" }, { Location: "counts/1" });
  // @ts-expect-error: its body has no such field.
  answer(202, { state: "running", since: 1 }, { Location: "counts/1" });
  // @ts-expect-error: its Location is missing.
  answer(202, { state: "running" });
  // @ts-expect-error: it documents no such header.
  answer(202, { state: "running" }, { Location: "counts/1", ETag: "1" });
  return answer(202, { state: "running" }, { Location: "counts/1" });
});
// @ts-expect-error: its success is a 202, which a body alone does not say.
operation("countNotes", async () => ({ state: "running" as const }));
// @ts-expect-error: a 204 has no body.
operation("deleteNote", async (_input, _services, answer) => answer(204, { deleted: true }));
operation("exportNotes", async (_input, { pieces }, answer) =>
  // @ts-expect-error: an answer of several media types says which it is.
  answer(200, pieces(), {}),
);
// @ts-expect-error: the body of a 200 is another.
operation("listNotes", async () => ({ notes: [1], owner: "anna" }));
// @ts-expect-error: no such operation.
operation("dropNotes", async () => undefined);

const neverListNotes = operation("listNotes", () => new Promise(() => {}), { deadlineMs: 50 });

function tagOf(text: string): string {
  return `"${text.length}-${text}"`;
}

const handlers: OperationHandlers<NoteOperations, Notes> = {
  createSession,
  listNotes,
  getNote,
  putNote,
  patchNote,
  deleteNote,
  countNotes,
  exportNotes,
  importNotes,
};

const log: string[] = [];
const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
const metrics = createMetrics();
const bodyMemory = createBodyMemory({ processBytes: MEBIBYTE, accountBytes: MEBIBYTE });
const texts = new Map<string, string>();
/** Given as one text, where it is not given in pieces. */
let wholeText: string | undefined;
let pieces: Notes["pieces"] = async function* () {};

function notesInterface(
  name: string,
  basePath: string,
  more: Partial<InterfaceDefinition<Notes>> = {},
  ownLogger = logger,
): Interface {
  const definition: InterfaceDefinition<Notes> = {
    name,
    document: notesDocument(basePath),
    bodyLimits: { json: "1kb", text: "64kb" },
    async admit(req, res, scopes) {
      const name = cookiesOf(req).get("session");
      if (name === undefined || scopes.join() !== "notes") throw new Refused("unauthorized");
      contextOf(res).principalInLog = { writer: name };
      return { name };
    },
    handlers,
    services: { texts, pieces: () => pieces() },
    toErrorAnswer,
    ...more,
  };
  return createInterface(definition, { validateResponses: true, logger: ownLogger, bodyMemory });
}

let listening: Listening;
beforeAll(async () => {
  // The root comes first, and owns the rest all the same.
  const interfaces = [
    notesInterface("root", "/", { extraHeaders: () => ({ "X-Shelf": "root" }) }),
    notesInterface("shelf", "/shelf/v1"),
    notesInterface("newer-shelf", "https://shelf.example/shelf/v2/"),
    notesInterface("slow-shelf", "/slow/v1", { handlers: { ...handlers, listNotes: neverListNotes } }),
  ];
  const { app, answerConnectionFault } = createApp({ interfaces, metrics, logger, documentation: null });
  listening = await listen(app, { host: "127.0.0.1", port: 0, answerConnectionFault });
});
afterAll(() => listening.close());
beforeEach(() => {
  texts.clear();
  log.length = 0;
});

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is. */
  text?: string;
}

async function call(path: string, { method = "GET", headers = {}, body, text }: Call = {}) {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${listening.url}/shelf/v1${path}`, {
    method,
    headers: {
      Cookie: "theme=dark; session=anna",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const answer = await response.text();
  const isJson = answer !== "" && response.headers.get("content-type") === "application/json";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(answer) : answer };
}

test("services that share a document admit their own callers, and log their own faults", async () => {
  const document = notesDocument("/shared/v1");
  const faults: string[] = [];
  const serve = (writer: string, more: Partial<InterfaceDefinition<Notes>> = {}) => {
    const own = pino({ level: "error" }, { write: (line: string) => void faults.push(`${writer} ${line}`) });
    const admit = async () => ({ name: writer });
    const shared = notesInterface(writer, "", { document, admit, ...more }, own);
    const { app, answerConnectionFault } = createApp({
      interfaces: [shared],
      metrics: createMetrics(),
      logger: own,
      documentation: null,
    });
    return listen(app, { host: "127.0.0.1", port: 0, answerConnectionFault });
  };
  const patchNote = { ...handlers.patchNote, handle: async () => ({ id: "a", text: 1 }) };
  const [anna, ben] = [await serve("anna"), await serve("ben", { handlers: { ...handlers, patchNote } })];
  try {
    const ask = async ({ url }: Listening, path: string, method = "GET") =>
      (await fetch(`${url}/shared/v1${path}`, { method })).json();
    for (let times = 0; times < 2; times += 1) {
      expect(await ask(anna, "/notes")).toMatchObject({ owner: "anna" });
      expect(await ask(ben, "/notes")).toMatchObject({ owner: "ben" });
      expect(await ask(anna, "/notes/a", "PATCH")).toMatchObject({ id: "a" });
      expect(await ask(ben, "/notes/a", "PATCH")).toEqual({ error: "unexpected" });
    }
    const told = faults.filter((line) => line.includes("response breaks the contract"));
    expect(told.map((line) => line.split(" ", 1))).toEqual([["ben"], ["ben"]]);
  } finally {
    await Promise.all([anna.close(), ben.close()]);
  }
});

describe("methods and statuses", () => {
  test("a thing is made, changed, read and removed, each with its own status and headers", async () => {
    const made = await call("/notes/a", { method: "PUT", body: { text: "one" } });
    expect(made).toMatchObject({ status: 201, body: { id: "a", text: "one" } });
    expect([made.headers.get("location"), made.headers.get("etag")]).toEqual(["notes/a", '"3-one"']);
    const headers = { "If-Match": '"3-one"' };
    expect(await call("/notes/a", { method: "PUT", body: { text: "more" }, headers })).toMatchObject({
      status: 200,
      body: { text: "more" },
    });
    expect(await call("/notes/a", { method: "PATCH", body: { text: "less" } })).toMatchObject({
      status: 200,
    });
    expect(await call("/notes/a")).toMatchObject({ status: 200, body: { text: "less" } });
    const removed = await call("/notes/a", { method: "DELETE" });
    expect(removed).toMatchObject({ status: 204, body: "" });
    expect(removed.headers.get("content-type")).toBeNull();
    expect(await call("/notes/a")).toMatchObject({ status: 404, body: { error: "not_found" } });
  });

  test("of a path that is nowhere it is said what paths begin with", async () => {
    const bases = "/session or /notes or /export or /import or /shelf/v1 or /shelf/v2 or /slow/v1";
    expect(await call("/nothing")).toMatchObject({
      status: 404,
      body: { message: `There is no path "/shelf/v1/nothing". Paths begin with ${bases}; /docs shows them.` },
    });
  });

  test("long work is accepted with a 202, at a path that a parameter would fit as well", async () => {
    const answer = await call("/notes/count", { method: "POST" });
    expect(answer).toMatchObject({ status: 202, body: { state: "running" } });
    expect([answer.headers.get("location"), answer.headers.get("retry-after")]).toEqual(["counts/1", "2"]);
  });

  test("a caller is not kept waiting for longer than the deadline of the operation", async () => {
    const headers = { Cookie: "session=anna" };
    const answer = await fetch(`${listening.url}/slow/v1/notes`, { headers });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ error: "deadline_passed", message: expect.any(String) });
  });

  test("a method that a path does not know is a 405 that names those that it knows", async () => {
    for (const method of ["POST", "OPTIONS"]) {
      const answer = await call("/notes/a", { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["DELETE", "GET", "PATCH", "PUT"]);
    }
  });

  test("HEAD is answered as GET is, without the body, and refused where there is no GET", async () => {
    const got = await call("/notes/nothing");
    const head = await call("/notes/nothing", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([got.status, ""]);
    expect(head.headers.get("content-length")).toBe(got.headers.get("content-length"));
    expect((await call("/notes/count", { method: "HEAD" })).status).toBe(405);
  });

  test("an id that nothing can have is refused with a 400, or as the id of nothing where there is no 400", async () => {
    expect(await call("/notes/A", { method: "PUT", body: { text: "one" } })).toMatchObject({
      status: 400,
      body: { error: "request_400" },
    });
    for (const method of ["GET", "DELETE"]) {
      for (const id of ["A", "%00", "%ff"])
        expect(await call(`/notes/${id}`, { method })).toMatchObject({
          status: 404,
          body: { error: "request_404" },
        });
    }
  });

  test("a body of any method is held against the contract", async () => {
    for (const method of ["PUT", "PATCH"]) {
      for (const body of [{ text: 1 }, { text: "x", colour: "red" }]) {
        expect(await call("/notes/a", { method, body })).toMatchObject({
          status: 400,
          body: { error: "request_400" },
        });
      }
      for (const text of ["{", "[]", `{"text":"${"x".repeat(1024)}"}`]) {
        const headers = { "Content-Type": "application/json" };
        expect(await call("/notes/a", { method, text, headers })).toMatchObject({
          status: 400,
          body: { error: "bad_request" },
        });
      }
    }
    expect(texts.size).toBe(0);
  });

  test("a body that is optional may be missing, and not be of another media type", async () => {
    expect(await call("/notes/a", { method: "PATCH" })).toMatchObject({ status: 200, body: { text: "" } });
    const headers = { "Content-Type": "text/plain" };
    const answer = await call("/notes/a", { method: "PATCH", text: "x", headers });
    expect(answer).toMatchObject({ status: 400, body: { error: "bad_request" } });
  });
});

test("headers of a request reach the handler by their documented names, and conditions are answered", async () => {
  texts.set("a", "one");
  const read = (tag: string) => call("/notes/a", { headers: { "if-none-match": tag } });
  const unchanged = await read('"3-one"');
  expect(unchanged).toMatchObject({ status: 304, body: "" });
  expect(unchanged.headers.get("etag")).toBe('"3-one"');
  expect(await read('"old"')).toMatchObject({ status: 200, body: { text: "one" } });
  const write = (headers: Record<string, string>) =>
    call("/notes/a", { method: "PUT", body: { text: "two" }, headers });
  expect(await write({})).toMatchObject({ status: 428, body: { error: "precondition_required" } });
  expect(await write({ "If-Match": '"old"' })).toMatchObject({ status: 412 });
  expect(texts.get("a")).toBe("one");
});

describe("admission", () => {
  test("a session's cookie lets in, and its owner reaches handlers and log", async () => {
    expect(await call("/notes")).toMatchObject({ status: 200, body: { owner: "anna" } });
    expect(await call("/notes", { headers: { Cookie: "theme=dark" } })).toMatchObject({
      status: 401,
      body: { error: "unauthorized" },
    });
    await expect.poll(() => log.length).toBe(2);
    expect(JSON.parse(log[0] ?? "")).toMatchObject({
      interface: "shelf",
      operation: "listNotes",
      status: 200,
      writer: "anna",
    });
  });

  test("an operation that is open to anybody takes a body, and sets a cookie", async () => {
    const signIn = (password: unknown) =>
      call("/session", { method: "POST", body: { password }, headers: { Cookie: "" } });
    const answer = await signIn("open");
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual(["session=anna; HttpOnly; Path=/"]);
    expect(await signIn("shut")).toMatchObject({ status: 401 });
    expect(await signIn(1)).toMatchObject({ status: 400 });
  });

  test("the body of a caller who is not let in is not waited for", async () => {
    const { hostname, port } = new URL(listening.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      "PUT /shelf/v1/import HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9999\r\n\r\nx",
    );
    const [answer] = await once(socket, "data");
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe("text that comes", () => {
  const put = (text: string, type = "text/plain") =>
    call("/import", { method: "PUT", text, headers: { "Content-Type": type } });

  test.each(["text/plain", "text/csv; charset=UTF-8"])("is read by the handler as %s", async (type) => {
    const text = "ünïcödé\n".repeat(4_000);
    expect(await put(text, type)).toMatchObject({ status: 200, body: { characters: text.length } });
  });

  test("reaches the handler while it is sent, and is answered though it is not read to its end", async () => {
    const headers = { Cookie: "session=anna", "Content-Type": "text/plain" };
    const sending = request(`${listening.url}/shelf/v1/import`, { method: "PUT", headers });
    sending.write("first");
    await expect.poll(() => texts.get("last piece")).toBe("first");
    sending.write("STOP");
    const [response] = await once(sending, "response");
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(String(Buffer.concat(await response.toArray())))).toEqual({ characters: 9, pieces: 2 });
    sending.destroy();
  });

  test("that is larger than the limit is refused, at once where its length is told", async () => {
    const refused = { status: 400, body: { error: "bad_request", message: "The body is larger than 64kb." } };
    expect(await put("x".repeat(64 * 1024))).toMatchObject({ status: 200 });
    texts.clear();
    expect(await put("x".repeat(64 * 1024 + 1))).toMatchObject(refused);
    expect(texts.size).toBe(0);
    const headers = { Cookie: "session=anna", "Content-Type": "text/plain" };
    const sending = request(`${listening.url}/shelf/v1/import`, { method: "PUT", headers });
    for (let piece = 0; piece < 65; piece += 1) sending.write("x".repeat(1024));
    const [response] = await once(sending, "response");
    expect(response.statusCode).toBe(400);
    sending.destroy();
  });

  test("that is not UTF-8, compressed or of another media type is refused", async () => {
    const bytes = Buffer.from([0x61, 0xff]);
    const broken = await fetch(`${listening.url}/shelf/v1/import`, {
      method: "PUT",
      headers: { Cookie: "session=anna", "Content-Type": "text/plain" },
      body: bytes,
    });
    expect([broken.status, await broken.json()]).toMatchObject([400, { message: "The body is not UTF-8." }]);
    for (const type of ["application/json", "text/html", "text/plain; charset=latin1"])
      expect(await put("x", type)).toMatchObject({ status: 400, body: { error: "bad_request" } });
    const headers = { "Content-Type": "text/plain", "Content-Encoding": "gzip" };
    expect(await call("/import", { method: "PUT", text: "x", headers })).toMatchObject({ status: 400 });
  });

  test("that breaks off ends the reading", async () => {
    const headers = { Cookie: "session=anna", "Content-Type": "text/plain" };
    const sending = request(`${listening.url}/shelf/v1/import`, { method: "PUT", headers }).on(
      "error",
      () => {},
    );
    sending.write("first");
    await expect.poll(() => texts.get("last piece")).toBe("first");
    sending.destroy();
    await expect.poll(() => log.some((line) => line.includes("caller hung up"))).toBe(true);
    expect(log.join("")).not.toContain("request failed");
  });
});

describe("text that goes", () => {
  test("is sent piece by piece in the documented media type, or as JSON where the handler says so", async () => {
    pieces = async function* () {
      yield "id,text\r\n";
      yield "a,one\r\n";
    };
    const answer = await call("/export");
    expect(answer).toMatchObject({ status: 200, body: "id,text\r\na,one\r\n" });
    expect(answer.headers.get("content-type")).toBe("text/csv");
    expect(answer.headers.get("content-disposition")).toContain("notes.csv");
    texts.set("a", "one");
    expect(await call("/export?format=json")).toMatchObject({ body: { notes: [{ id: "a", text: "one" }] } });
  });

  test("may be given whole, with letters of several bytes", async () => {
    wholeText = "id,text\r\na,Grüße €😀\r\n";
    onTestFinished(() => {
      wholeText = undefined;
    });
    expect(await call("/export")).toMatchObject({ status: 200, body: wholeText });
  });

  test("may be nothing", async () => {
    pieces = async function* () {};
    expect(await call("/export")).toMatchObject({ status: 200, body: "" });
  });

  test("that fails before its first piece is an error like others, and later breaks the connection", async () => {
    // biome-ignore lint/correctness/useYield: it fails before.
    pieces = async function* () {
      throw new Refused("unauthorized");
    };
    const answer = await call("/export");
    expect(answer).toMatchObject({ status: 401, body: { error: "unauthorized" } });
    expect(answer.headers.get("content-disposition")).toBeNull();
    pieces = async function* () {
      yield "id,text\r\n";
      throw new Error("the database is gone");
    };
    await expect(call("/export")).rejects.toThrow();
    expect(log.join("")).toContain("the database is gone");
  });

  test("waits for its reader, and ends when the reader leaves", async () => {
    let [made, ended] = [0, false];
    pieces = async function* () {
      try {
        for (;;) {
          made += 1;
          yield "x".repeat(64 * 1024);
        }
      } finally {
        ended = true;
      }
    };
    const headers = { Cookie: "session=anna" };
    const asking = request(`${listening.url}/shelf/v1/export`, { headers, agent: false }).end();
    const [response] = await once(asking, "response");
    await once(response, "readable");
    let before: number;
    do {
      before = made;
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    } while (made > before);
    // Whatever the sockets hold is not more than this.
    expect(made).toBeLessThan(1_000);
    expect(ended).toBe(false);
    response.destroy();
    await expect.poll(() => ended).toBe(true);
    expect(log.join("")).not.toContain("request failed");
  });
});

describe("interfaces", () => {
  const ask = async (path: string) => {
    const response = await fetch(listening.url + path, { headers: { Cookie: "session=anna" } });
    return [response.status, response.headers.get("x-shelf")];
  };

  test("own what is below their base, whatever its version, and the longest base wins", async () => {
    for (const path of ["/shelf/v1/notes", "/shelf/v2/notes"]) expect(await ask(path)).toEqual([200, null]);
    for (const path of ["/shelf", "/shelf/v3/notes", "/shelf/v1", "/shelf/"])
      expect(await ask(path)).toEqual([404, null]);
    expect(await ask("/notes")).toEqual([200, "root"]);
    for (const path of ["/shelves", "/shelf-life/v1/notes", "/"])
      expect(await ask(path)).toEqual([404, "root"]);
  });

  test("are told apart by the metrics, operations of one name included", async () => {
    await ask("/notes");
    await ask("/shelf/v2/notes");
    await ask("/nothing");
    const figures = await metrics.registry.metrics();
    for (const labels of [
      'interface="root",operation="listNotes",status="200"',
      'interface="newer-shelf",operation="listNotes",status="200"',
      'interface="root",operation="none",status="404"',
    ])
      expect(figures).toContain(`http_request_duration_seconds_count{${labels}}`);
  });

  test.each([
    ["GET /shelf/v1/notes x\r\n\r\n", "bad_request"],
    ["nonsense\r\n\r\n", "bad_request"],
  ])("answer what is not HTTP in the shape of the one that it is meant for: %j", async (bytes, error) => {
    const { hostname, port } = new URL(listening.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const answer = String(Buffer.concat(await socket.toArray()));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ error });
    const [, requestId] = /^X-Request-Id: (.*)\r$/m.exec(answer) ?? [];
    expect(log.join("")).toContain(`"requestId":"${requestId}"`);
  });

  test("are not made without a handler of every operation, nor of ways in that ask for different scopes", () => {
    expect(() => notesInterface("bare", "/bare", { handlers: {} })).toThrow(/^bare has no handler of /);
    const document = notesDocument("/odd");
    document.security = [{ session: ["notes"] }, { key: ["others"] }];
    expect(() => notesInterface("odd", "/odd", { document })).toThrow("same scopes");
  });
});

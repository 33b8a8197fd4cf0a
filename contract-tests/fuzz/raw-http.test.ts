import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INTERFACES, openContract } from "../contract.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import { callersWith } from "./callers.ts";
import { codeIn } from "./expectations.ts";
import { type FuzzShop, startFuzzShop } from "./fuzz-shop.ts";
import type { FuzzedInterface } from "./fuzzed-interface.ts";
import { type ExchangeOptions, exchange } from "./raw-exchange.ts";
import { ANSWERS_BY_CODE, type RawOutcome, type RawTarget, type RawWrite } from "./raw-target.ts";

// What no client library sends, as bytes on a socket. server/interfaces/*/behaviour.http.test.ts have what such a library can send.

let shop: FuzzShop;
beforeAll(async () => {
  shop = await startFuzzShop(300);
});
afterAll(() => shop.stop());

const HOST = "Host: x\r\n";
const CLOSE = "Connection: close\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";

/** Reads of one interface. */
class Reading {
  readonly name: string;
  readonly target: RawTarget;

  constructor(name: string, target: RawTarget) {
    this.name = name;
    this.target = target;
  }

  get readPath(): string {
    return this.target.readPath;
  }

  /** The header with a key, and those that every write has. */
  get key(): string {
    const { credential, admission, write } = this.target;
    const secret = shop.names[credential] ?? credential;
    return `${admission.header}: ${admission.prefix}${secret}\r\n${write?.headers ?? ""}`;
  }

  /** A read, with more headers; the server closes after it. */
  read(headers = "", target = this.readPath, method = "GET"): string {
    return `${method} ${target} HTTP/1.1\r\n${HOST}${CLOSE}${this.key}${headers}\r\n`;
  }
}

/** Reads and writes of one interface. */
class Writing extends Reading {
  readonly writing: RawWrite;
  private bodies = 0;

  constructor(name: string, target: RawTarget, write: RawWrite) {
    super(name, target);
    this.writing = write;
  }

  /** The most bytes of a body. */
  get limit(): number {
    return this.writing.limitBytes;
  }

  /** A good body, another one each time; `number` is the text of its number. */
  body(number = "1", more = ""): string {
    this.bodies += 1;
    const { fields, numberField } = this.writing;
    return `{${fields(this.bodies)},"${numberField}":${number}${more}}`;
  }

  /** A write, with more headers and whatever follows the head. */
  write(headers: string, rest: string | Buffer, path = this.writing.path): Buffer {
    const head = `POST ${path} HTTP/1.1\r\n${HOST}${CLOSE}${this.key}Content-Type: application/json\r\n${headers}\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.from(rest)]);
  }

  /** A write of a body with its length. */
  send(body: string | Buffer, headers = "", path = this.writing.path): Buffer {
    return this.write(`${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, body, path);
  }
}

interface Case<Target extends Reading> {
  readonly name: string;
  readonly bytes: (target: Target) => string | Buffer;
  /** One for each answer, in order. */
  readonly outcomes: readonly RawOutcome[];
  /** The same of an interface that passes bodies on, where that differs. */
  readonly passedOn?: readonly RawOutcome[];
  /** The same of an interface to which several slashes are one, where that differs. */
  readonly slashesIgnored?: readonly RawOutcome[];
  readonly options?: ExchangeOptions;
}

/** A case with one answer. */
function caseOf<Target extends Reading>(
  name: string,
  outcome: RawOutcome,
  bytes: Case<Target>["bytes"],
  options: ExchangeOptions = {},
): Case<Target> {
  return { name, bytes, outcomes: [outcome], options };
}
const reading = caseOf<Reading>;
const writing = caseOf<Writing>;

const keptAlive = (bytes: string | Buffer) =>
  Buffer.from(bytes.toString("latin1").replace(CLOSE, ""), "latin1");
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const heads: Case<Reading>[] = [
  ...["TRACE", "PROPFIND", "M-SEARCH", "QUERY"].map((method) =>
    reading(`the method ${method}`, "no such method", (target) => target.read("", target.readPath, method)),
  ),
  reading("a method that nobody knows", "unreadable", (target) => target.read("", target.readPath, "BREW")),
  reading(
    "HEAD of what is not there",
    "no such path",
    (target) => target.read("", `${target.readPath}/x`, "HEAD"),
    {
      bodiless: true,
    },
  ),
  reading("a target in absolute form", "ok", (target) =>
    target.read("", `http://shop.example${target.readPath}`),
  ),
  reading("an absolute target that is not there", "no such path", (target) =>
    target.read("", `http://shop.example:80${target.readPath}/x?y`),
  ),
  reading("dots in the path", "no such path", (target) =>
    target.read("", target.readPath.replace("v1", "v1/../v1")),
  ),
  {
    ...reading("two slashes in the path", "no such path", (target) =>
      target.read("", target.readPath.replace("v1", "v1/")),
    ),
    slashesIgnored: ["ok"],
  },
  reading("an escaped slash", "no such path", (target) =>
    target.read("", target.readPath.replace(/\/(\w+)$/, "%2f$1")),
  ),
  reading("an escaped letter", "no such path", (target) =>
    target.read("", target.readPath.replace("v1", "%76%31")),
  ),
  reading("a semicolon in the path", "no such path", (target) => target.read("", `${target.readPath};x=1`)),
  reading("a fragment", "no such path", (target) => target.read("", `${target.readPath}#x`)),
  reading("a space in the path", "unreadable", (target) => target.read("", `${target.readPath} x`)),
  reading("bytes in the path that are not escaped", "unreadable", (target) =>
    Buffer.from(target.read("", `${target.readPath}é`)),
  ),
  reading("an empty query", "ok", (target) => target.read("", `${target.readPath}?`)),
  reading("a query of separators", "ok", (target) => target.read("", `${target.readPath}??&&=&`)),
  reading("HTTP/1.0 without Host", "ok", ({ readPath, key }) => `GET ${readPath} HTTP/1.0\r\n${key}\r\n`),
  reading("empty lines before the request", "ok", (target) => `\r\n\r\n${target.read()}`),
  reading("lines that end in LF alone", "unreadable", (target) => target.read().replaceAll("\r\n", "\n")),
  reading("CR within a header", "unreadable", (target) => target.read("X: a\rb\r\n")),
  reading("NUL in a header", "unreadable", (target) => target.read("X: a\0b\r\n")),
  reading("a header that goes on in the next line", "unreadable", (target) => target.read("X: a\r\n b\r\n")),
  reading("a space before the colon", "unreadable", (target) => target.read("X : a\r\n")),
  reading("a header without a colon", "unreadable", (target) => target.read("Xab\r\n")),
  reading("a header without a name", "unreadable", (target) => target.read(": a\r\n")),
  reading("a header named __proto__", "ok", (target) => target.read("__proto__: a\r\nconstructor: b\r\n")),
  reading("a header of 20 KB", "unreadable", (target) => target.read(`X: ${"x".repeat(20_000)}\r\n`)),
  reading("a path of 20 KB", "unreadable", (target) =>
    target.read("", `${target.readPath}?x=${"x".repeat(20_000)}`),
  ),
  reading("2,500 headers", "unreadable", (target) => target.read("X: y\r\n".repeat(2_500))),
  reading("an upgrade to WebSocket", "ok", (target) =>
    target.read("Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"),
  ),
  reading("an upgrade to HTTP/2", "ok", (target) =>
    target.read("Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAR\r\n"),
  ),
  reading("a method that overrides the method", "ok", (target) =>
    target.read("X-HTTP-Method-Override: DELETE\r\n"),
  ),
  reading("a read with a body", "ok", (target) => `${target.read("Content-Length: 5\r\n")}hello`),
];

const framings: Case<Writing>[] = [
  writing("two lengths", "unreadable", (target) => target.send(target.body(), "Content-Length: 3\r\n")),
  writing("a length and chunks", "unreadable", (target) => target.send(`${chunk("{}")}0\r\n\r\n`, CHUNKED)),
  ...["0x10", "-1", "+5", "9".repeat(24), "1, 1", ""].map((length) =>
    writing(`a length of ${JSON.stringify(length)}`, "unreadable", (target) =>
      target.write(`Content-Length: ${length}\r\n`, target.body()),
    ),
  ),
  writing("chunks with extensions and a trailer", "ok", (target) => {
    const body = target.body();
    return target.write(CHUNKED, `${body.length.toString(16)};x=y\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`);
  }),
  writing("a chunk of a length that is no number", "unreadable", (target) =>
    target.write(CHUNKED, "zz\r\nhello\r\n"),
  ),
  writing("a chunk that is longer than it says", "unreadable", (target) =>
    target.write(CHUNKED, "5\r\nhello, you\r\n"),
  ),
  writing("a chunk of more than there is", "unreadable", (target) =>
    target.write(CHUNKED, `${"f".repeat(20)}\r\n`),
  ),
  writing("chunks that break off", "unreadable", (target) => target.write(CHUNKED, "ff\r\nhello"), {
    half: true,
  }),
  writing("a body that breaks off", "unreadable", (target) => target.write("Content-Length: 500\r\n", "{"), {
    half: true,
  }),
  writing("a body that is longer than it says", "ok", (target) => `${target.send(target.body())}{}`),
  writing("a transfer encoding that nobody knows", "unreadable", (target) =>
    target.write("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
  ),
  writing("neither length nor chunks", "unreadable", (target) => target.write("", "")),
  writing("the expectation of 100-continue", "ok", (target) =>
    target.send(target.body(), "Expect: 100-continue\r\n"),
  ),
  writing("another expectation", "ok", (target) => target.send(target.body(), "Expect: 200-ok\r\n")),
  writing("chunks above the limit", "unreadable", (target) =>
    target.write(CHUNKED, `${chunk("x".repeat(target.limit + 1))}0\r\n\r\n`),
  ),
  {
    name: "requests that follow each other at once, a bad one among them",
    outcomes: ["ok", "unreadable", "no such path", "no key", "ok"],
    bytes: (target) =>
      Buffer.concat([
        keptAlive(target.send(target.body())),
        keptAlive(target.send("{")),
        keptAlive(target.send(target.body(), "", `${target.writing.path}/x/y`)),
        Buffer.from(keptAlive(target.send(target.body())).toString().replace(target.key, "")),
        Buffer.from(target.read()),
      ]),
  },
  {
    name: "a body above the limit, and a request behind it",
    outcomes: ["unreadable", "ok"],
    // So much is not read off before the connection is used again.
    passedOn: ["unreadable"],
    bytes: (target) =>
      Buffer.concat([
        keptAlive(target.send(" ".repeat(target.limit) + target.body())),
        Buffer.from(target.read()),
      ]),
  },
];

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const bodies: Case<Writing>[] = [
  writing("gzip", "unreadable", (target) =>
    target.send(gzipSync(target.body()), "Content-Encoding: GZIP\r\n"),
  ),
  writing("brotli", "unreadable", (target) =>
    target.send(brotliCompressSync(target.body()), "Content-Encoding: br\r\n"),
  ),
  writing("the content encoding identity", "ok", (target) =>
    target.send(target.body(), "Content-Encoding: Identity\r\n"),
  ),
  writing("200 levels", "invalid", (target) => target.send(target.body("1", `,"a":${nested(199)}`))),
  writing("201 levels", "unreadable", (target) => target.send(target.body("1", `,"a":${nested(200)}`))),
  ...["compress", "gzip, gzip", "x"].map((encoding) =>
    writing(`the content encoding ${encoding}`, "unreadable", (target) =>
      target.send(gzipSync(target.body()), `Content-Encoding: ${encoding}\r\n`),
    ),
  ),
  {
    name: "a byte order mark, which is passed on to the upstream",
    outcomes: ["ok"],
    passedOn: ["unreadable"],
    bytes: (target) => target.send(`\ufeff${target.body()}`),
  },
  writing("UTF-16", "unreadable", (target) => target.send(Buffer.from(target.body(), "utf16le"))),
  writing("UTF-16 with a byte order mark", "unreadable", (target) =>
    target.send(Buffer.from(`\ufeff${target.body()}`, "utf16le")),
  ),
  ...["1e0", "1.0", "1.00000000000000000001", "10E-1"].map((number) =>
    writing(`the number ${number}, which is 1`, "ok", (target) => target.send(target.body(number))),
  ),
  ...["-0", "1e-400"].map(
    (number): Case<Writing> => ({
      name: `the number ${number}, which is the 0 that only messages may have`,
      outcomes: ["invalid"],
      passedOn: ["ok"],
      bytes: (target) => target.send(target.body(number)),
    }),
  ),
  ...["1e400", "-1e400", "9".repeat(400), "9007199254740993"].map((number) =>
    writing(`the number ${number.slice(0, 20)}`, "invalid", (target) => target.send(target.body(number))),
  ),
  ...["01", "+1", ".5", "1.", "NaN", "Infinity", "0x1", "1n", "1_0"].map((number) =>
    writing(`${number}, which is no number of JSON`, "unreadable", (target) =>
      target.send(target.body(number)),
    ),
  ),
  writing("a field that is there twice", "unreadable", (target) =>
    target.send(target.body("1", `,"${target.writing.numberField}":1`)),
  ),
  writing("a field that is there twice, once escaped", "unreadable", (target) =>
    target.send(target.body("1", `,"${target.writing.numberField.replace(/[a-z]/, escapeLetter)}":1`)),
  ),
  ...['"constructor":{"prototype":{"x":1}}', '"__proto__":null', '"toString":1', String.raw`"\u0000":1`].map(
    (field) =>
      writing(`the field ${field}`, "invalid", (target) => target.send(target.body("1", `,${field}`))),
  ),
  writing("a field that only a prototype has", "invalid", (target) =>
    target.send(target.body().replace(/"\w+":1}$/, '"__proto__":{$&}')),
  ),
  writing("text in which a control character is not escaped", "unreadable", (target) =>
    target.send(target.body("1", ',"a":"\t"')),
  ),
];

function escapeLetter(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const targets = await Promise.all(INTERFACES.map(openTarget));
const readers = targets.filter((target) => target !== null);
const writers = readers.filter((target) => target instanceof Writing);

async function openTarget(name: string): Promise<Reading | null> {
  const { raw, fuzz } = await interfaceUnderTest(name);
  const target = raw ?? readTarget(name, fuzz);
  if (target?.write) return new Writing(name, target, target.write);
  return target && new Reading(name, target);
}

/**
 * What an interface can be asked for of which nothing special is known; null when every operation wants input, or gives
 * something else than JSON.
 */
function readTarget(name: string, { callers, refusals }: FuzzedInterface): RawTarget | null {
  const { operations, basePath } = openContract(name);
  const operation = operations.find(
    ({ method, path, admissions, responses }) =>
      method === "GET" &&
      !path.includes("{") &&
      admissions.length > 0 &&
      !("400" in responses) &&
      "application/json" in (responses["200"]?.content ?? {}),
  );
  const [admission] = operation?.admissions ?? [];
  const [caller] = callersWith(callers, admission?.scopes ?? []);
  if (!operation || !admission || !caller) return null;
  const { status, code } = refusals["no key"];
  return {
    readPath: basePath + operation.path,
    credential: caller.credential,
    admission,
    write: null,
    answers: { ...ANSWERS_BY_CODE, "no key": [status, code] },
  };
}

async function expectOutcomes(
  { target: { answers: known } }: Reading,
  bytes: string | Buffer,
  outcomes: readonly RawOutcome[],
  options?: ExchangeOptions,
) {
  const answers = await exchange(shop.proxyUrl, bytes, options);
  expect(answers.map(({ status, body }) => [status, status === 200 ? undefined : codeIn(body)])).toEqual(
    outcomes.map((outcome) => [known[outcome][0], options?.bodiless ? undefined : known[outcome][1]]),
  );
  for (const { headers } of answers) expect(headers["content-type"]).toBe("application/json");
}

/** What must succeed after whatever was sent. */
function good(target: Reading): string | Buffer {
  return target instanceof Writing ? target.send(target.body()) : target.read();
}

describe.each(readers)("reads of $name over a socket:", (target) => {
  test.each(heads)("$name", async ({ bytes, outcomes, slashesIgnored, options }) => {
    const expected = target.target.ignoresSlashes ? (slashesIgnored ?? outcomes) : outcomes;
    await expectOutcomes(target, bytes(target), expected, options);
    await expectOutcomes(target, good(target), ["ok"]);
  });

  test("HEAD leaves nothing behind that would be taken for the next answer", async () => {
    const head = target.read("", target.readPath, "HEAD");
    const answers = await exchange(shop.proxyUrl, Buffer.concat([keptAlive(head), Buffer.from(head)]), {
      bodiless: true,
    });
    const [ok] = target.target.answers.ok;
    expect(answers.map(({ status }) => status)).toEqual([ok, ok]);
  });

  test("a connection that says nothing, or half a head, is let go", async () => {
    for (const bytes of ["", target.read().slice(0, 20)]) {
      const answers = await exchange(shop.proxyUrl, bytes, { half: true });
      expect(answers.map(({ status }) => status)).toEqual(bytes === "" ? [] : [400]);
    }
    await expectOutcomes(target, good(target), ["ok"]);
  });
});

describe.each(writers)("writes of $name over a socket:", (target) => {
  test.each([...framings, ...bodies])("$name", async ({ bytes, outcomes, passedOn, options }) => {
    const expected = target.writing.passesBodiesOn ? (passedOn ?? outcomes) : outcomes;
    await expectOutcomes(target, bytes(target), expected, options);
    await expectOutcomes(target, good(target), ["ok"]);
  });

  test("a body that breaks off in a later packet is answered in the shape of its interface", async () => {
    const later = { later: "zz\r\n" };
    await expectOutcomes(target, target.write(CHUNKED, ""), ["unreadable"], later);
  });
});

test("what is meant for no interface: tunnels are not opened, and * is no path", async () => {
  expect(await exchange(shop.proxyUrl, `CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n`)).toEqual([]);
  const atRoot = readers.find(({ name }) => openContract(name).basePath === "");
  const [status, code] = atRoot?.target.answers["no such path"] ?? [404];
  const [answer] = await exchange(shop.proxyUrl, `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  expect([answer?.status, codeIn(answer?.body ?? "")]).toEqual([status, code]);
});

import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InterfaceName } from "../contract.ts";
import { codeIn } from "./expectations.ts";
import { type FuzzShop, MODELS, startFuzzShop } from "./fuzz-shop.ts";
import { type ExchangeOptions, exchange } from "./raw-exchange.ts";

// What no client library sends, as bytes on a socket. server/interfaces/*/manners.http.test.ts have what such a library can send.

let shop: FuzzShop;
beforeAll(async () => {
  shop = await startFuzzShop(300);
});
afterAll(() => shop.stop());

/** How a request is answered: well, or refused in the shape of its interface. */
type Outcome = "ok" | "unreadable" | "invalid" | "no such path" | "no such method" | "no key";

const ANSWERS: Readonly<Record<InterfaceName, Readonly<Record<Outcome, [status: number, code?: string]>>>> = {
  ordering: {
    ok: [200],
    unreadable: [400, "bad_request"],
    invalid: [400, "invalid_input"],
    "no such path": [404, "not_found"],
    "no such method": [405, "bad_request"],
    "no key": [401, "unauthorized"],
  },
  proxy: {
    ok: [200],
    unreadable: [400, "invalid_request_error"],
    invalid: [400, "invalid_request_error"],
    "no such path": [404, "not_found_error"],
    "no such method": [405, "invalid_request_error"],
    "no key": [401, "authentication_error"],
  },
};

const KIB = 1024;
const HOST = "Host: x\r\n";
const CLOSE = "Connection: close\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";

/** Requests to one interface. */
class Target {
  readonly name: InterfaceName;
  readonly readPath: string;
  readonly writePath: string;
  /** The field of a body that is a number. */
  readonly number: string;
  /** The most bytes of a body. */
  readonly limit: number;
  private bodies = 0;

  constructor(name: InterfaceName) {
    const isOrdering = name === "ordering";
    this.name = name;
    this.readPath = isOrdering ? "/shop/v1/balance" : "/v1/me";
    this.writePath = isOrdering ? "/shop/v1/orders" : "/v1/messages";
    this.number = isOrdering ? "qty" : "max_tokens";
    this.limit = isOrdering ? 64 * KIB : 32 * KIB * KIB;
  }

  /** Headers with a key. */
  get key(): string {
    return this.name === "ordering"
      ? `Authorization: Bearer ${shop.names.SHOP_KEY_PRODUCT_ORDERING}\r\n`
      : `x-api-key: ${shop.names.SHOP_KEY_GENERAL}\r\nanthropic-version: 2023-06-01\r\n`;
  }

  /** A read, with more headers; the server closes after it. */
  read(headers = "", target = this.readPath, method = "GET"): string {
    return `${method} ${target} HTTP/1.1\r\n${HOST}${CLOSE}${this.key}${headers}\r\n`;
  }

  /** A good body, another one each time; `number` is the text of its number. */
  body(number = "1", more = ""): string {
    this.bodies += 1;
    const wish =
      this.name === "ordering"
        ? `"externalOrderId":"raw-${this.bodies}","productId":"fuzz-plenty"`
        : `"model":"${MODELS[0]}","messages":[{"role":"user","content":"x"}]`;
    return `{${wish},"${this.number}":${number}${more}}`;
  }

  /** A write, with more headers and whatever follows the head. */
  write(headers: string, rest: string | Buffer, path = this.writePath): Buffer {
    const head = `POST ${path} HTTP/1.1\r\n${HOST}${CLOSE}${this.key}Content-Type: application/json\r\n${headers}\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.from(rest)]);
  }

  /** A write of a body with its length. */
  send(body: string | Buffer, headers = "", path = this.writePath): Buffer {
    return this.write(`${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, body, path);
  }
}

interface Case {
  readonly name: string;
  readonly bytes: (target: Target) => string | Buffer;
  /** One for each answer, in order. */
  readonly outcomes: readonly Outcome[] | Readonly<Record<InterfaceName, readonly Outcome[]>>;
  readonly options?: ExchangeOptions;
}

const one = (name: string, outcome: Outcome, bytes: Case["bytes"], options: ExchangeOptions = {}): Case => ({
  name,
  bytes,
  outcomes: [outcome],
  options,
});
const keptAlive = (bytes: string | Buffer) =>
  Buffer.from(bytes.toString("latin1").replace(CLOSE, ""), "latin1");
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const heads: Case[] = [
  ...["TRACE", "PROPFIND", "M-SEARCH", "QUERY"].map((method) =>
    one(`the method ${method}`, "no such method", (target) => target.read("", target.readPath, method)),
  ),
  one("a method that nobody knows", "unreadable", (target) => target.read("", target.readPath, "BREW")),
  one(
    "HEAD of what is not there",
    "no such path",
    (target) => target.read("", `${target.readPath}/x`, "HEAD"),
    {
      bodiless: true,
    },
  ),
  one("a target in absolute form", "ok", (target) =>
    target.read("", `http://shop.example${target.readPath}`),
  ),
  one("an absolute target that is not there", "no such path", (target) =>
    target.read("", `http://shop.example:80${target.readPath}/x?y`),
  ),
  one("dots in the path", "no such path", (target) =>
    target.read("", target.readPath.replace("v1", "v1/../v1")),
  ),
  one("two slashes in the path", "no such path", (target) =>
    target.read("", target.readPath.replace("v1", "v1/")),
  ),
  one("an escaped slash", "no such path", (target) =>
    target.read("", target.readPath.replace(/\/(\w+)$/, "%2f$1")),
  ),
  one("an escaped letter", "no such path", (target) =>
    target.read("", target.readPath.replace("v1", "%76%31")),
  ),
  one("a semicolon in the path", "no such path", (target) => target.read("", `${target.readPath};x=1`)),
  one("a fragment", "no such path", (target) => target.read("", `${target.readPath}#x`)),
  one("a space in the path", "unreadable", (target) => target.read("", `${target.readPath} x`)),
  one("bytes in the path that are not escaped", "unreadable", (target) =>
    Buffer.from(target.read("", `${target.readPath}é`)),
  ),
  one("an empty query", "ok", (target) => target.read("", `${target.readPath}?`)),
  one("a query of separators", "ok", (target) => target.read("", `${target.readPath}??&&=&`)),
  one("HTTP/1.0 without Host", "ok", ({ readPath, key }) => `GET ${readPath} HTTP/1.0\r\n${key}\r\n`),
  one("empty lines before the request", "ok", (target) => `\r\n\r\n${target.read()}`),
  one("lines that end in LF alone", "unreadable", (target) => target.read().replaceAll("\r\n", "\n")),
  one("CR within a header", "unreadable", (target) => target.read("X: a\rb\r\n")),
  one("NUL in a header", "unreadable", (target) => target.read("X: a\0b\r\n")),
  one("a header that goes on in the next line", "unreadable", (target) => target.read("X: a\r\n b\r\n")),
  one("a space before the colon", "unreadable", (target) => target.read("X : a\r\n")),
  one("a header without a colon", "unreadable", (target) => target.read("Xab\r\n")),
  one("a header without a name", "unreadable", (target) => target.read(": a\r\n")),
  one("a header named __proto__", "ok", (target) => target.read("__proto__: a\r\nconstructor: b\r\n")),
  one("a header of 20 KB", "unreadable", (target) => target.read(`X: ${"x".repeat(20_000)}\r\n`)),
  one("a path of 20 KB", "unreadable", (target) =>
    target.read("", `${target.readPath}?x=${"x".repeat(20_000)}`),
  ),
  one("2,500 headers", "unreadable", (target) => target.read("X: y\r\n".repeat(2_500))),
  one("an upgrade to WebSocket", "ok", (target) =>
    target.read("Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"),
  ),
  one("an upgrade to HTTP/2", "ok", (target) =>
    target.read("Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAR\r\n"),
  ),
  one("a method that overrides the method", "ok", (target) =>
    target.read("X-HTTP-Method-Override: DELETE\r\n"),
  ),
  one("a read with a body", "ok", (target) => `${target.read("Content-Length: 5\r\n")}hello`),
];

const framings: Case[] = [
  one("two lengths", "unreadable", (target) => target.send(target.body(), "Content-Length: 3\r\n")),
  one("a length and chunks", "unreadable", (target) => target.send(`${chunk("{}")}0\r\n\r\n`, CHUNKED)),
  ...["0x10", "-1", "+5", "9".repeat(24), "1, 1", ""].map((length) =>
    one(`a length of ${JSON.stringify(length)}`, "unreadable", (target) =>
      target.write(`Content-Length: ${length}\r\n`, target.body()),
    ),
  ),
  one("chunks with extensions and a trailer", "ok", (target) => {
    const body = target.body();
    return target.write(CHUNKED, `${body.length.toString(16)};x=y\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`);
  }),
  one("a chunk of a length that is no number", "unreadable", (target) =>
    target.write(CHUNKED, "zz\r\nhello\r\n"),
  ),
  one("a chunk that is longer than it says", "unreadable", (target) =>
    target.write(CHUNKED, "5\r\nhello, you\r\n"),
  ),
  one("a chunk of more than there is", "unreadable", (target) =>
    target.write(CHUNKED, `${"f".repeat(20)}\r\n`),
  ),
  one("chunks that break off", "unreadable", (target) => target.write(CHUNKED, "ff\r\nhello"), {
    half: true,
  }),
  one("a body that breaks off", "unreadable", (target) => target.write("Content-Length: 500\r\n", "{"), {
    half: true,
  }),
  one("a body that is longer than it says", "unreadable", (target) =>
    target.write("Content-Length: 2\r\n", `{}${target.body()}`),
  ),
  one("a transfer encoding that nobody knows", "unreadable", (target) =>
    target.write("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
  ),
  one("neither length nor chunks", "unreadable", (target) => target.write("", "")),
  one("the expectation of 100-continue", "ok", (target) =>
    target.send(target.body(), "Expect: 100-continue\r\n"),
  ),
  one("another expectation", "ok", (target) => target.send(target.body(), "Expect: 200-ok\r\n")),
  one("chunks above the limit", "unreadable", (target) =>
    target.write(CHUNKED, `${chunk("x".repeat(target.limit + 1))}0\r\n\r\n`),
  ),
  {
    name: "requests that follow each other at once, a bad one among them",
    outcomes: ["ok", "unreadable", "no such path", "no key", "ok"],
    bytes: (target) =>
      Buffer.concat([
        keptAlive(target.send(target.body())),
        keptAlive(target.send("{")),
        keptAlive(target.send(target.body(), "", `${target.writePath}/x/y`)),
        Buffer.from(keptAlive(target.send(target.body())).toString().replace(target.key, "")),
        Buffer.from(target.read()),
      ]),
  },
  {
    name: "a body above the limit, and a request behind it",
    outcomes: ["unreadable", "ok"],
    bytes: (target) =>
      Buffer.concat([
        keptAlive(target.send(" ".repeat(target.limit) + target.body())),
        Buffer.from(target.read()),
      ]),
  },
];

const bodies: Case[] = [
  one("gzip", "ok", (target) => target.send(gzipSync(target.body()), "Content-Encoding: GZIP\r\n")),
  one("brotli", "ok", (target) => target.send(brotliCompressSync(target.body()), "Content-Encoding: br\r\n")),
  one("what is not gzip and says so", "unreadable", (target) =>
    target.send(target.body(), "Content-Encoding: gzip\r\n"),
  ),
  one("gzip that breaks off", "unreadable", (target) =>
    target.send(gzipSync(target.body()).subarray(0, 20), "Content-Encoding: gzip\r\n"),
  ),
  one("gzip of more than the limit", "unreadable", (target) =>
    target.send(gzipSync(Buffer.alloc(target.limit + 1, 0x20)), "Content-Encoding: gzip\r\n"),
  ),
  ...["compress", "gzip, gzip", "x"].map((encoding) =>
    one(`the content encoding ${encoding}`, "unreadable", (target) =>
      target.send(gzipSync(target.body()), `Content-Encoding: ${encoding}\r\n`),
    ),
  ),
  {
    name: "a byte order mark, which is passed on to the upstream",
    outcomes: { ordering: ["ok"], proxy: ["unreadable"] },
    bytes: (target) => target.send(`\ufeff${target.body()}`),
  },
  one("UTF-16", "unreadable", (target) => target.send(Buffer.from(target.body(), "utf16le"))),
  one("UTF-16 with a byte order mark", "unreadable", (target) =>
    target.send(Buffer.from(`\ufeff${target.body()}`, "utf16le")),
  ),
  ...["1e0", "1.0", "1.00000000000000000001", "10E-1"].map((number) =>
    one(`the number ${number}, which is 1`, "ok", (target) => target.send(target.body(number))),
  ),
  ...["-0", "1e400", "-1e400", "1e-400", "9".repeat(400), "9007199254740993"].map((number) =>
    one(`the number ${number.slice(0, 20)}`, "invalid", (target) => target.send(target.body(number))),
  ),
  ...["01", "+1", ".5", "1.", "NaN", "Infinity", "0x1", "1n", "1_0"].map((number) =>
    one(`${number}, which is no number of JSON`, "unreadable", (target) => target.send(target.body(number))),
  ),
  one("a field that is there twice", "unreadable", (target) =>
    target.send(target.body("1", `,"${target.number}":1`)),
  ),
  one("a field that is there twice, once escaped", "unreadable", (target) =>
    target.send(target.body("1", `,"${target.number.replace(/[a-z]/, escapeLetter)}":1`)),
  ),
  ...['"constructor":{"prototype":{"x":1}}', '"__proto__":null', '"toString":1', String.raw`"\u0000":1`].map(
    (field): Case => ({
      name: `the field ${field}, which only messages may have`,
      outcomes: { ordering: ["invalid"], proxy: ["ok"] },
      bytes: (target) => target.send(target.body("1", `,${field}`)),
    }),
  ),
  one("a field that only a prototype has", "invalid", (target) =>
    target.send(target.body().replace(/"\w+":1}$/, '"__proto__":{$&}')),
  ),
  one("text in which a control character is not escaped", "unreadable", (target) =>
    target.send(target.body("1", ',"a":"\t"')),
  ),
];

function escapeLetter(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

describe.each<Target>([new Target("ordering"), new Target("proxy")])("$name over a socket:", (target) => {
  async function expectOutcomes(
    bytes: string | Buffer,
    outcomes: readonly Outcome[],
    options?: ExchangeOptions,
  ) {
    const answers = await exchange(shop.proxyUrl, bytes, options);
    const known = ANSWERS[target.name];
    expect(answers.map(({ status, body }) => [status, status === 200 ? undefined : codeIn(body)])).toEqual(
      outcomes.map((outcome) => [known[outcome][0], options?.bodiless ? undefined : known[outcome][1]]),
    );
    for (const { headers } of answers) expect(headers["content-type"]).toBe("application/json");
  }

  test.each([...heads, ...framings, ...bodies])("$name", async ({ bytes, outcomes, options }) => {
    const expected = "ordering" in outcomes ? outcomes[target.name] : outcomes;
    await expectOutcomes(bytes(target), expected, options);
    await expectOutcomes(target.send(target.body()), ["ok"]);
  });

  test("HEAD leaves nothing behind that would be taken for the next answer", async () => {
    const head = keptAlive(target.read("", target.readPath, "HEAD"));
    const answers = await exchange(shop.proxyUrl, Buffer.concat([head, head]), {
      half: true,
      bodiless: true,
    });
    expect(answers.map(({ status }) => status)).toEqual([405, 405]);
  });

  test("a connection that says nothing, or half a head, is let go", async () => {
    for (const bytes of ["", target.read().slice(0, 20)]) {
      const answers = await exchange(shop.proxyUrl, bytes, { half: true });
      expect(answers.map(({ status }) => status)).toEqual(bytes === "" ? [] : [400]);
    }
    await expectOutcomes(target.send(target.body()), ["ok"]);
  });

  test("a request without Host gets the plain 400 of Node", async () => {
    const answers = await exchange(shop.proxyUrl, target.read().replace(HOST, ""));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[400, ""]]);
  });
});

test("what is meant for no interface: tunnels are not opened, and * is no path", async () => {
  expect(await exchange(shop.proxyUrl, `CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n`)).toEqual([]);
  const [answer] = await exchange(shop.proxyUrl, `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  expect(answer).toMatchObject({ status: 404 });
  expect(codeIn(answer?.body ?? "")).toBe("not_found_error");
});

test("a body that breaks off in a later packet is answered in the shape of the interface that it was sent to", async () => {
  const target = new Target("proxy");
  const [answer] = await exchange(shop.proxyUrl, target.write(CHUNKED, ""), { later: "zz\r\n" });
  expect([answer?.status, codeIn(answer?.body ?? "")]).toEqual([400, "invalid_request_error"]);
});

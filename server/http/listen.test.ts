import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { type AnswerConnectionFault, listen } from "./listen.ts";

test("a server that stops does not wait for connections that were never used", {
  timeout: 40_000,
}, async () => {
  const { url, close } = await listen((_req, res) => res.end("here"), { host: "127.0.0.1", port: 0 });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  expect(await (await fetch(url)).text()).toBe("here");
  await close();
});

test("a client that reads nothing of a stream is cut off, and the stream is let go", async () => {
  const left = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield "a line of an endless table\n".repeat(1_000);
    } finally {
      left.resolve();
    }
  }
  const { url, close } = await listen(
    (_req, res) => {
      pipeline(endless(), res).catch(() => {});
    },
    { host: "127.0.0.1", port: 0, clientStallMs: 100 },
  );
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.pause().write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await expect(left.promise).resolves.toBeUndefined();
  socket.destroy();
  await close();
});

test("a server that stops answers what is under way", async () => {
  const asked = Promise.withResolvers<() => void>();
  const { url, close } = await listen((_req, res) => asked.resolve(() => res.end("late")), {
    host: "127.0.0.1",
    port: 0,
  });
  const answer = fetch(url).then((response) => response.text());
  const finish = await asked.promise;
  const closed = close();
  finish();
  expect(await answer).toBe("late");
  await closed;
});

test("a server that stops listens until what is under way is answered, and lets the application refuse", async () => {
  const asked = Promise.withResolvers<() => void>();
  let isClosing = false;
  const onClose = () => {
    isClosing = true;
  };
  const { url, close } = await listen(
    (_req, res) => (isClosing ? res.writeHead(503).end() : asked.resolve(() => res.end("late"))),
    { host: "127.0.0.1", port: 0, onClose },
  );
  const answer = fetch(url).then((response) => response.text());
  const finish = await asked.promise;
  const closed = close();
  expect((await fetch(url)).status).toBe(503);
  finish();
  expect(await answer).toBe("late");
  await closed;
  await expect(fetch(url)).rejects.toThrow();
});

test("what has come but is not answered yet when a server drains is answered on a connection that is then closed", async () => {
  const asked = Promise.withResolvers<() => void>();
  const app: RequestListener = (_req, res) => asked.resolve(() => res.end("here"));
  const { url, close, closeConnections } = await listen(app, { host: "127.0.0.1", port: 0 });
  const answer = fetch(url);
  const finish = await asked.promise;
  closeConnections();
  finish();
  expect((await answer).headers.get("connection")).toBe("close");
  await close();
});

test("a connection that was used a moment ago is not closed under a request that is on its way", async () => {
  let isClosing = false;
  const onClose = () => {
    isClosing = true;
  };
  const app: RequestListener = (_req, res) => res.writeHead(isClosing ? 503 : 200).end();
  const { url, close } = await listen(app, { host: "127.0.0.1", port: 0, onClose });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<IncomingMessage> => {
    const [response] = await once(request(url, { agent }).end(), "response");
    return response.resume();
  };
  const first = await ask();
  await once(first, "end");
  const closed = close({ idleGraceMs: 600_000, deadlineMs: 600_000 });
  const second = await ask();
  expect([first.statusCode, second.statusCode]).toEqual([200, 503]);
  expect(second.headers.connection).toBe("close");
  await closed;
});

/** Sends bytes as they are. @returns all that is answered until the connection is closed. */
async function exchange(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(bytes);
  let answered = "";
  socket.on("data", (data) => {
    answered += data.toString();
  });
  await once(socket, "close");
  return answered;
}

/** Says what it was asked. */
const telling: AnswerConnectionFault = (fault, path) => ({
  status: fault === "timed_out" ? 408 : 400,
  headers: { "X-Told": "yes" },
  body: { fault, path },
});

test.each([
  ["no Host header", "GET /a?b HTTP/1.1\r\n\r\n"],
  ["two Host headers", "GET /a?b HTTP/1.1\r\nHost: one\r\nhost: two\r\n\r\n"],
  ["the same Host header twice", "GET /a HTTP/1.1\r\nHost: one\r\nHost: one\r\n\r\n"],
  ["HTTP/0.9", "GET /a HTTP/0.9\r\nHost: one\r\n\r\n"],
  ["HTTP/2.0", "GET /a HTTP/2.0\r\nHost: one\r\n\r\n"],
  ["an expectation and two Host headers", "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\nExpect: x\r\n\r\n"],
])("a request with %s is refused, and the application does not see it", async (_, bytes) => {
  const seen: unknown[] = [];
  const app = (req: unknown, res: { end(): void }) => {
    seen.push(req);
    res.end();
  };
  const options = { host: "127.0.0.1", port: 0, answerConnectionFault: telling };
  const { url, close } = await listen(app, options);
  const answer = await exchange(url, bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain("Connection: close");
  expect(answer).toContain("X-Told: yes");
  expect(answer).toMatch(/\{"fault":"unreadable","path":"\/a"\}$/);
  expect(seen).toEqual([]);
  await close();
});

test("a request whose headers are too large is told so, and gets a bare 400 from a server without words", async () => {
  const bytes = `GET /a HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
  for (const answerConnectionFault of [telling, undefined]) {
    const options = { host: "127.0.0.1", port: 0, answerConnectionFault };
    const { url, close } = await listen((_req, res) => res.end(), options);
    const answer = await exchange(url, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    if (answerConnectionFault === undefined) expect(answer).toMatch(/Content-Length: 0\r\n/);
    else expect(answer).toContain('{"fault":"head_too_large"');
    await close();
  }
});

const SHORT = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 };

test.each([
  ["headers", "GET / HTTP/1.1\r\nHost: x\r\n", null],
  ["body", "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na", "/a"],
])("a request whose %s does not come in time gets 408", async (_, bytes, path) => {
  const options = { host: "127.0.0.1", port: 0, timeouts: SHORT, answerConnectionFault: telling };
  const { url, close } = await listen(() => {}, options);
  const answer = await exchange(url, bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nX-Told: yes\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({ fault: "timed_out", path });
  await close();
});

test("an answer that has begun is not mixed with another when the request does not come in time", async () => {
  const options = { host: "127.0.0.1", port: 0, timeouts: SHORT, answerConnectionFault: telling };
  const { url, close } = await listen((_req, res) => res.write("begun"), options);
  const answer = await exchange(url, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na");
  expect(answer).toContain("begun");
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  await close();
});

test.each([
  ["what cannot be read", "}"],
  ["half a request", "POST /b HTTP/1.1\r\nHost: x\r\nContent-Le"],
  ["a head that is too large", `GET /b HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
])("a request that has come whole gets its own answer when %s comes behind it", async (_, behind) => {
  const asked = Promise.withResolvers<ServerResponse>();
  const options = { host: "127.0.0.1", port: 0, timeouts: SHORT, answerConnectionFault: telling };
  const { url, close } = await listen((_req, res) => asked.resolve(res), options);
  const answer = exchange(url, `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}${behind}`);
  const res = await asked.promise;
  // Set when what comes behind has been refused; it must not be answered before.
  await Promise.race([expect.poll(() => res.getHeader("Connection")).toBe("close"), answer]);
  res.end("its own");
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n(.*\r\n)+\r\nits own$/);
  await close();
});

test("a stream is sent to its end when what comes behind its request cannot be read", async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const app: RequestListener = (_req, res) => {
    res.write("begun, ");
    asked.resolve(res);
  };
  const { url, close } = await listen(app, { host: "127.0.0.1", port: 0, answerConnectionFault: telling });
  const answer = exchange(url, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n}");
  (await asked.promise).end("ended");
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*begun, .*ended\r\n0\r\n\r\n$/s);
  await close();
});

import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { UpstreamUnavailableError } from "./errors.ts";
import { createUpstream, type SentBody, type UpstreamOptions, type UpstreamRequest } from "./upstream.ts";

const NEVER = new AbortController().signal;
const BODY = Buffer.from('{"model": "a",  "text": "é\\u00e9"}');

async function open(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function upstreamAt(url: string, timeouts: Partial<UpstreamOptions["timeouts"]> = {}) {
  const upstream = createUpstream({
    url,
    apiKey: "sk-upstream",
    versionHeader: "anthropic-version",
    timeouts: { headMs: 120_000, ...timeouts },
  });
  onTestFinished(() => upstream.close());
  return upstream;
}

/** In two pieces. */
function bodyOf(bytes: Buffer): SentBody & { released: boolean } {
  return {
    length: bytes.length,
    pieces: [bytes.subarray(0, 5), bytes.subarray(5)],
    released: false,
    release() {
      this.released = true;
    },
  };
}

function request(rest: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return { path: "/v1/messages?beta=true", headers: {}, body: bodyOf(BODY), signal: NEVER, ...rest };
}

test("a request goes out byte for byte, with the headers that are meant for the upstream and no other", async () => {
  const seen: { url?: string | undefined; headers: object; body: string }[] = [];
  const listener: RequestListener = async (req, res) => {
    seen.push({ url: req.url, headers: req.headers, body: await text(req) });
    res.end("{}");
  };
  const url = await open(createServer(listener));
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "a,b",
    authorization: "Bearer svc_sk_secret",
    "x-api-key": "svc_sk_secret",
    "proxy-token": "svc_sk_secret",
    cookie: "a=b",
    "x-forwarded-for": "10.0.0.1",
    "user-agent": "sdk",
    "x-request-id": "mine",
    "transfer-encoding": "chunked",
    "content-encoding": "gzip",
    expect: "100-continue",
    te: "trailers",
    host: "shop.example",
  };
  const answer = await upstreamAt(`${url}/some/base/`).send(request({ headers }));
  expect(answer.statusCode).toBe(200);
  answer.resume();
  expect(seen).toEqual([
    {
      url: "/some/base/v1/messages?beta=true",
      body: BODY.toString(),
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "a,b",
        "x-api-key": "sk-upstream",
        "accept-encoding": "identity",
        "content-length": String(BODY.length),
        host: url.replace("http://", ""),
        connection: "keep-alive",
      },
    },
  ]);
});

test("a body is let go when the upstream has it, not when it answers", async () => {
  const body = bodyOf(BODY);
  const received = Promise.withResolvers<ServerResponse>();
  const listener: RequestListener = async (req, res) => {
    await text(req);
    received.resolve(res);
  };
  const answering = upstreamAt(await open(createServer(listener))).send(request({ body }));
  answering.catch(() => {});
  const response = await received.promise;
  await expect.poll(() => body.released).toBe(true);
  response.end("{}");
  const answer = await answering;
  expect(answer.statusCode).toBe(200);
  answer.resume();
});

test("requests share a connection that is kept, and redirects are not followed", async () => {
  let connections = 0;
  const server = createServer((req, res) => {
    req.resume();
    req.on("end", () => res.writeHead(307, { Location: "/elsewhere" }).end());
  });
  server.on("connection", () => {
    connections += 1;
  });
  const upstream = upstreamAt(await open(server));
  for (let times = 0; times < 5; times += 1) {
    const answer = await upstream.send(request());
    expect(answer.statusCode).toBe(307);
    await text(answer);
    // The connection is given back in the next turn.
    await new Promise(setImmediate);
  }
  expect(connections).toBe(1);
});

test("an upstream that cannot be reached was sent nothing", async () => {
  const server = createServer();
  const url = await open(server);
  server.close();
  const error = await upstreamAt(url)
    .send(request())
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UpstreamUnavailableError);
  expect(error).toMatchObject({ retryAfterSeconds: expect.any(Number), workDone: false });
});

test("an upstream that takes too long to answer is left", async () => {
  const sockets: Socket[] = [];
  const url = await open(createTcpServer((socket) => void sockets.push(socket)));
  const error = await upstreamAt(url, { headMs: 100 })
    .send(request())
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ retryAfterSeconds: null, workDone: true });
  await expect.poll(() => sockets[0]?.closed || sockets[0]?.resume().closed).toBe(true);
});

test("an upstream that hangs up without an answer is not asked again", async () => {
  let requests = 0;
  const listener: RequestListener = (req, res) => {
    requests += 1;
    if (requests === 1) res.end();
    else req.socket.destroy();
  };
  const upstream = upstreamAt(await open(createServer(listener)));
  await text(await upstream.send(request()));
  const error = await upstream.send(request()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ retryAfterSeconds: null, workDone: false });
  expect(requests).toBe(2);
});

test("a client that goes away takes the request with it", async () => {
  const hungUp = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  const server = createServer((req) => {
    came.resolve();
    req.socket.on("close", () => hungUp.resolve());
  });
  const gone = new AbortController();
  const upstream = upstreamAt(await open(server));
  const sending = upstream.send(request({ signal: gone.signal })).catch((reason: unknown) => reason);
  await came.promise;
  gone.abort("gone");
  expect(await sending).toBe("gone");
  await hungUp.promise;
  await expect(upstream.send(request({ signal: gone.signal }))).rejects.toBe("gone");
});

/** A server in a thread of its own, which resets its first connection when it is told to, and says when it has. */
const RESETTING_SERVER = `
  const { createServer } = require("node:http");
  const { workerData, parentPort } = require("node:worker_threads");
  const flag = new Int32Array(workerData);
  let requests = 0;
  let first;
  const server = createServer((req, res) => {
    requests += 1;
    req.resume().on("end", () => res.end(String(requests)));
  });
  server.on("connection", (socket) => { first ??= socket; });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
  parentPort.on("message", () => {
    first.resetAndDestroy();
    setTimeout(() => { Atomics.store(flag, 0, 1); Atomics.notify(flag, 0); }, 50);
  });
`;

test("a request that found its kept connection closed, and never left, is sent on a new one", async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(RESETTING_SERVER, { eval: true, workerData: flag.buffer });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = await once(worker, "message");
  const upstream = upstreamAt(`http://127.0.0.1:${port}`);
  expect(await text(await upstream.send(request()))).toBe("1");
  await new Promise(setImmediate);
  worker.postMessage("reset");
  // While this thread waits it cannot notice that the connection is gone.
  Atomics.wait(flag, 0, 0);
  expect(await text(await upstream.send(request()))).toBe("2");
});

import { getEventListeners } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { setDefaultCACertificates } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import type { TransportRequest } from "../../client/minimal-transport.ts";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "../testing/test-certificate.ts";
import { AnswerTooLargeError, NotSentError, sendRequest } from "./send-request.ts";

const LIMIT_BYTES = 4 * 1024 * 1024;

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function listen(server: TcpServer, scheme = "http"): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  undo.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));

const post = (url: string, changes: Partial<TransportRequest> = {}): TransportRequest => ({
  url,
  method: "POST",
  headers: new Headers({ "Content-Type": "application/json", Authorization: "Bearer key" }),
  body: '{"qty":1}',
  ...changes,
});

/** How sending ends: the answer's status, or the error, and whether it may have arrived. */
async function outcomeOf(request: TransportRequest) {
  try {
    return { status: (await sendRequest(request)).status };
  } catch (error) {
    const { name, code } = (error instanceof NotSentError ? error.cause : error) as {
      name: string;
      code?: string;
    };
    return { sent: !(error instanceof NotSentError), reason: typeof code === "string" ? code : name };
  }
}

describe("a request", () => {
  test("is sent as it is, with its length, and its answer read", async () => {
    const received: object[] = [];
    const url = await serve(async (request, response) => {
      const body = (await request.toArray()).join("");
      received.push({ method: request.method, path: request.url, headers: request.headers, body });
      response.writeHead(409, { "Retry-After": "7" }).end("schön");
    });
    const answer = await sendRequest(post(`${url}orders?a=b`));
    expect(answer).toMatchObject({ status: 409, text: "schön" });
    expect(answer.headers.get("Retry-After")).toBe("7");
    expect(answer.headers.get("X-None")).toBeNull();
    await sendRequest({ url, method: "GET", headers: new Headers() });
    expect(received).toMatchObject([
      {
        method: "POST",
        path: "/orders?a=b",
        headers: { "content-type": "application/json", authorization: "Bearer key", "content-length": "9" },
        body: '{"qty":1}',
      },
      { method: "GET", path: "/", body: "" },
    ]);
    for (const { headers } of received as { headers: object }[])
      expect(headers).not.toHaveProperty("transfer-encoding");
  });

  test("takes the connection of the one before", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("{}");
    });
    for (let sent = 0; sent < 5; sent++) await sendRequest(post(url));
    expect(ports.size).toBe(1);
  });

  test("does not follow where it is redirected", async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(307, { Location: "/elsewhere" }).end();
    });
    expect(await outcomeOf(post(url))).toEqual({ status: 307 });
    expect(requests).toBe(1);
  });

  test("leaves nothing at its signal, however it ends", async () => {
    const { signal } = new AbortController();
    const url = await serve((request, response) => {
      if (request.url === "/cut") request.socket.destroy();
      else response.end();
    });
    await outcomeOf(post(url, { signal }));
    await outcomeOf(post(`${url}cut`, { signal }));
    await outcomeOf(post("http://nowhere.invalid/", { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a request was not sent, for certain,", () => {
  test("when the connection is refused", async () => {
    const server: Server = createServer();
    const url = await listen(server);
    server.close();
    expect(await outcomeOf(post(url))).toEqual({ sent: false, reason: "ECONNREFUSED" });
  });

  test("when there is no such host, or no such thing as it asks for", async () => {
    expect(await outcomeOf(post("http://nowhere.invalid/"))).toMatchObject({ sent: false });
    expect(await outcomeOf(post("no URL"))).toMatchObject({ sent: false });
    const headers = {
      *[Symbol.iterator]() {
        yield ["Authorization", "a\nb"];
      },
    } as unknown as Headers;
    expect(await outcomeOf(post("http://127.0.0.1/", { headers }))).toMatchObject({ sent: false });
  });

  test("when its time is up before it begins", async () => {
    let requests = 0;
    const url = await serve(() => {
      requests += 1;
    });
    const signal = AbortSignal.abort();
    expect(await outcomeOf(post(url, { signal }))).toEqual({ sent: false, reason: "AbortError" });
    expect(requests).toBe(0);
  });

  test("when the other side cannot show who it is", async () => {
    let requests = 0;
    const count = () => {
      requests += 1;
    };
    const key = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };
    const url = await listen(createHttpsServer(key, count), "https");
    expect(await outcomeOf(post(url))).toEqual({ sent: false, reason: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    const plain = await serve(count);
    expect(await outcomeOf(post(plain.replace("http:", "https:")))).toMatchObject({ sent: false });
    expect(requests).toBe(0);
  });

  test("when its time is up before that", async () => {
    const received: Buffer[] = [];
    const silent = createTcpServer((socket) => void socket.on("data", (bytes) => received.push(bytes)));
    const url = await listen(silent, "https");
    const controller = new AbortController();
    const outcome = outcomeOf(post(url, { signal: controller.signal }));
    await expect.poll(() => received.length).toBeGreaterThan(0);
    controller.abort();
    expect(await outcome).toEqual({ sent: false, reason: "AbortError" });
    expect(Buffer.concat(received).includes("Bearer")).toBe(false);
  });
});

describe("a request may have arrived", () => {
  test("when a new connection breaks under it", async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await outcomeOf(post(url))).toEqual({ sent: true, reason: "ECONNRESET" });
  });

  test("when a kept connection breaks under it", async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests === 1) response.end();
      else request.socket.destroy();
    });
    expect(await outcomeOf(post(url))).toEqual({ status: 200 });
    expect(await outcomeOf(post(url))).toEqual({ sent: true, reason: "ECONNRESET" });
    expect(requests).toBe(2);
  });

  test.each(["answer", "the answer's end"])("when its time is up before its %s", async (missing) => {
    const controller = new AbortController();
    const url = await serve((_, response) => {
      if (missing !== "answer") response.writeHead(200, { "Content-Length": "9" }).write("half");
      setTimeout(() => controller.abort(), 50);
    });
    const outcome = await outcomeOf(post(url, { signal: controller.signal }));
    expect(outcome).toEqual({ sent: true, reason: "AbortError" });
  });

  test("when its answer breaks off", async () => {
    for (const headers of [{ "Content-Length": "9" }, {}]) {
      const url = await serve((request, response) => {
        response.writeHead(200, headers).write("half", () => request.socket.destroy());
      });
      expect(await outcomeOf(post(url))).toEqual({ sent: true, reason: "ECONNRESET" });
    }
  });

  test("when what comes is not HTTP", async () => {
    const url = await listen(createTcpServer((socket) => void socket.end("220 mail.example ready\r\n")));
    const outcome = await outcomeOf(post(url));
    expect(outcome).toMatchObject({ sent: true, reason: expect.stringMatching(/^HPE_|^ECONNRESET$/) });
  });
});

describe("an answer", () => {
  test("of 4 MiB is read", async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(LIMIT_BYTES, "x")));
    expect((await sendRequest(post(url))).text).toHaveLength(LIMIT_BYTES);
  });

  test.each([
    ["that says so", { "Content-Length": String(LIMIT_BYTES + 1) }],
    ["that does not say so", {}],
  ])("that is larger, and one %s, is not read to its end", async (_, headers) => {
    let isClosed = false;
    const url = await serve((_, response) => {
      response.writeHead(200, headers);
      response.on("close", () => {
        isClosed = true;
      });
      if (!("Content-Length" in headers)) response.write(Buffer.alloc(LIMIT_BYTES + 1));
      else response.flushHeaders();
    });
    await expect(sendRequest(post(url))).rejects.toBeInstanceOf(AnswerTooLargeError);
    await expect.poll(() => isClosed).toBe(true);
  });
});

test("a service whose certificate is trusted is reached over TLS", async () => {
  setDefaultCACertificates([TEST_CERTIFICATE]);
  const key = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };
  let requests = 0;
  const server = createHttpsServer(key, (request, response) => {
    requests += 1;
    if (requests < 3) response.end(`${request.headers.authorization}`);
    else request.socket.destroy();
  });
  const url = await listen(server, "https");
  for (let sent = 0; sent < 2; sent++)
    expect(await sendRequest(post(url))).toMatchObject({ text: "Bearer key" });
  expect(await outcomeOf(post(url))).toEqual({ sent: true, reason: "ECONNRESET" });
});

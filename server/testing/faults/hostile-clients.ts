// A program: hostile connections to the AI proxy of a service, until it is told to stop. It reads `{url, keys}` as JSON from
// its stdin, and prints "attacking", and at its end `{answers, seconds, cpuShare}` as JSON: how often each kind was answered with
// which status in how many seconds, and how much of a core the attack took.
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const MEBIBYTE = 1024 ** 2;
const CONNECTIONS_PER_KIND = 10;
/** Between two requests of a connection; otherwise it would be a test of refusals. */
const PAUSE_MS = 100;
/** How long one holds a connection whose answer it does not read: it cannot see that it was cut off, which it is after 5 s. */
const HELD_MS = 7_000;
const MAX_BODY_BYTES = 31 * MEBIBYTE;
const MAX_CALL_BYTES = 6 * MEBIBYTE;

/** What the program prints at its end. */
export interface HostileFigures {
  /** How often each kind of connection was answered with which status. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How long the attack took. */
  readonly seconds: number;
  /** How much of a core the attack took; 0.5 is half of one. */
  readonly cpuShare: number;
}

/** One kind of connection. */
interface Attack {
  readonly path: string;
  readonly body: Buffer;
  readonly headers?: string;
  /** How much of the body is sent, and how fast; all of it at once when not given. */
  readonly trickle?: { readonly bytes: number; readonly everyMs: number };
  /** What is taken of the answer: all, a byte at a time, or nothing. */
  readonly reads?: "slowly" | "never";
}

const COUNT = "/v1/messages/count_tokens";
const message = (model: string, content: string, more = "") =>
  `{"model":"${model}","max_tokens":1000${more},"messages":[{"role":"user","content":"${content}"}]}`;
const fill = (start: string, repeated: string, bytes: number) =>
  Buffer.concat([
    Buffer.from(start),
    Buffer.alloc(bytes - (bytes % repeated.length), repeated),
    Buffer.from("1"),
  ]);
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `"n${index}":1`).join();
const turn = '{"role":"user","content":"x"},';

const ATTACKS: Readonly<Record<string, Attack>> = {
  big: { path: COUNT, body: Buffer.from(message("no-such-model", "x".repeat(MAX_BODY_BYTES))) },
  deep: { path: COUNT, body: fill('{"messages":', "[", MAX_BODY_BYTES) },
  "many values": { path: COUNT, body: fill('{"messages":[', "{},", MAX_BODY_BYTES) },
  "many names": { path: COUNT, body: Buffer.from(`{${namesOf(2_500_000)}}`) },
  // Of a model that there is: a request to another is refused before the work. What nobody knows comes last, and keeps it from
  // the upstream, which the good buyer's calls need, and which would be another machine.
  "as many values as allowed": {
    path: COUNT,
    body: Buffer.from(`{"model":"sim-echo","messages":[${turn.repeat(49_000).slice(0, -1)}],"audio":1}`),
  },
  packed: {
    path: COUNT,
    body: gzipSync(`{"messages":[${"{},".repeat(MAX_BODY_BYTES / 3)}{}]}`),
    headers: "Content-Encoding: gzip\r\n",
  },
  "slow in": {
    path: COUNT,
    body: fill('{"model":"', "x", MAX_BODY_BYTES),
    trickle: { bytes: 1_024, everyMs: 50 },
  },
  "slow out": {
    path: "/v1/messages",
    body: Buffer.from(message("sim-huge-32", "x", ',"stream":true')),
    reads: "slowly",
  },
  unread: {
    path: "/v1/messages",
    body: Buffer.from(message("sim-huge-32", "x", ',"stream":true')),
    reads: "never",
  },
  "large and open": {
    path: "/v1/messages",
    body: Buffer.from(message("sim-slow-tokens-2000", "x".repeat(MAX_CALL_BYTES), ',"stream":true')),
  },
};

const { url, keys } = (await json(process.stdin)) as { url: string; keys: readonly string[] };
const { port, hostname } = new URL(url);
const answers: Record<string, Record<string, number>> = {};
const open = new Set<Socket>();
let isOver = false;

process.once("SIGTERM", () => {
  isOver = true;
  for (const socket of open) socket.destroy();
});

/** Makes one request on a connection of its own. @returns the status of its answer; "cut" when there was none */
function attackOnce({ path, body, headers = "", trickle, reads }: Attack, key: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  open.add(socket);
  let head = "";
  let timer: NodeJS.Timeout | undefined;
  let held: NodeJS.Timeout | undefined;
  socket.on("error", () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${key}\r\nanthropic-version: 2023-06-01\r\n` +
      `Content-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n`,
  );
  if (trickle === undefined) socket.write(body);
  else {
    let sent = 0;
    timer = setInterval(() => {
      socket.write(body.subarray(sent, sent + trickle.bytes));
      sent += trickle.bytes;
    }, trickle.everyMs);
  }
  socket.once("data", (chunk: Buffer) => {
    head = chunk.toString("latin1", 0, 40);
    if (reads === undefined) return void socket.resume();
    socket.pause();
    held = setTimeout(() => socket.destroy(), HELD_MS);
    if (reads === "slowly") timer = setInterval(() => void socket.read(1), 100);
  });
  return new Promise((resolve) => {
    socket.once("close", () => {
      clearInterval(timer);
      clearTimeout(held);
      open.delete(socket);
      resolve(/^HTTP\/1.1 (\d{3})/.exec(head)?.[1] ?? "cut");
    });
  });
}

async function attackOnAndOn(kind: string, attack: Attack, key: string): Promise<void> {
  const statuses: Record<string, number> = {};
  answers[kind] ??= statuses;
  while (!isOver) {
    const status = await attackOnce(attack, key);
    const counts = answers[kind] ?? statuses;
    if (!isOver) counts[status] = (counts[status] ?? 0) + 1;
    await delay(PAUSE_MS);
  }
}

const attacking = Object.entries(ATTACKS).flatMap(([kind, attack], place) =>
  Array.from({ length: CONNECTIONS_PER_KIND }, (_, index) =>
    attackOnAndOn(kind, attack, keys[(place * CONNECTIONS_PER_KIND + index) % keys.length] as string),
  ),
);
console.log("attacking");
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
await Promise.all(attacking);
const { user, system } = process.cpuUsage(startedCpu);
const seconds = (performance.now() - startedMs) / 1_000;
const cpuShare = (user + system) / 1_000_000 / seconds;
console.log(JSON.stringify({ answers, seconds, cpuShare } satisfies HostileFigures));

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Load } from "./cpu-time.ts";
import type { MessageCall } from "./message-call.ts";

/** What was left under way is over after this and burdens no other measurement. */
const COOL_DOWN_MS = 300;
const OK = "HTTP/1.1 200 ";
/** The last chunk of a chunked body. */
const END = Buffer.from("\r\n0\r\n\r\n");
const LAST_EVENT = "event: message_stop";
const TAIL_BYTES = 256;

/**
 * Sends calls that are answered by event streams, each connection one after the other, for some seconds. A bare socket
 * client: it takes little of the processor that it shares with what it measures.
 * @param callOf gives the call that a connection repeats
 * @returns the whole streams. @throws when one is refused, breaks, or ends without its last event.
 */
export async function sendStreams(
  connections: number,
  seconds: number,
  callOf: (connection: number) => MessageCall,
): Promise<Load> {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let streams = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const call = callOf(index);
      const socket = await open(call);
      const request = print(call);
      while (performance.now() < end) {
        await readStream(socket, request);
        streams += 1;
      }
      socket.destroy();
    }),
  );
  const perSecond = streams / ((performance.now() - begin) / 1000);
  await delay(COOL_DOWN_MS);
  return { count: streams, perSecond };
}

/** A stream that has begun. */
export interface OpenStream {
  /** Resolves when it has ended whole. */
  readonly ended: Promise<void>;
}

/** Opens a stream and waits for its first bytes. @throws when it is refused. */
export async function openStream(call: MessageCall): Promise<OpenStream> {
  const socket = await open(call);
  const begun = once(socket, "data");
  const ended = readStream(socket, print(call)).finally(() => socket.destroy());
  ended.catch(() => {});
  await Promise.race([begun, ended]);
  return { ended };
}

async function open({ url }: MessageCall): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  return socket;
}

function print({ url, headers, body }: MessageCall): Buffer {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${body}`);
}

function readStream(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail: Buffer | null = null;
    const finish = (error?: Error) => {
      socket.off("data", read);
      socket.off("close", broken);
      socket.off("error", broken);
      if (error) reject(error);
      else resolve();
    };
    const broken = () => finish(new Error("A stream broke."));
    const read = (bytes: Buffer) => {
      if (tail === null && !bytes.toString("latin1", 0, OK.length).startsWith(OK)) {
        return finish(new Error(`A stream was refused: ${bytes.toString("latin1", 0, 500)}`));
      }
      tail = tail === null ? bytes : Buffer.concat([tail.subarray(-TAIL_BYTES), bytes]);
      if (!tail.subarray(-END.length).equals(END)) return;
      const isWhole = tail.toString("latin1", Math.max(0, tail.length - TAIL_BYTES)).includes(LAST_EVENT);
      finish(isWhole ? undefined : new Error("A stream ended before its last event."));
    };
    socket.on("data", read);
    socket.on("close", broken);
    socket.on("error", broken);
    socket.write(request);
  });
}

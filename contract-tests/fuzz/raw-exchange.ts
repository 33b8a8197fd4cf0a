import { connect } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How bytes are sent, and how answers are told apart. */
export interface ExchangeOptions {
  /** Nothing more is sent after the bytes, and the server is told so. */
  readonly half?: boolean;
  /** What is sent when the first bytes have been read. */
  readonly later?: string;
  /** The answers have no bodies, as those to HEAD. */
  readonly bodiless?: boolean;
}

const SILENCE_MS = 60_000;
const LATER_MS = 50;
const LAST_CHUNK = "0\r\n\r\n";

/**
 * Sends bytes on a connection of their own and reads until the server closes it, interim answers left out.
 * @throws when the server neither closes nor sends anything for a minute, or sends what is no answer.
 */
export async function exchange(
  origin: string,
  bytes: string | Buffer,
  { half = false, later, bodiless = false }: ExchangeOptions = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(origin);
  const received = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    socket.setTimeout(SILENCE_MS, () => {
      socket.destroy();
      reject(new Error(`The connection stays open after: ${Buffer.concat(chunks)}`));
    });
    socket.on("connect", () => {
      socket.setNoDelay();
      if (half) return void socket.end(bytes);
      socket.write(bytes);
      if (later !== undefined) setTimeout(() => socket.write(later), LATER_MS);
    });
    socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
    socket.on("end", finish);
    // A server that refuses a request may close before all of it has come.
    socket.on("error", finish);
  });
  return readAnswers(received, bodiless).filter(({ status }) => status >= 200);
}

function readAnswers(bytes: Buffer, bodiless: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.toString("latin1", 0, Math.max(0, end)).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end === -1 || !(status > 0)) throw new Error(`This is no answer: ${rest}`);
    const headers = Object.fromEntries(lines.map(splitHeader));
    const length = bodiless || status < 200 ? 0 : Number(headers["content-length"] ?? 0);
    // The only chunked answers are empty.
    const after = headers["transfer-encoding"] === "chunked" && !bodiless ? LAST_CHUNK.length : 0;
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) throw new Error(`The answer breaks off: ${rest}`);
    answers.push({ status, headers, body: body.toString() });
    rest = rest.subarray(end + 4 + length + after);
  }
  return answers;
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

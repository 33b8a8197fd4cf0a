import { Agent, type IncomingMessage, request } from "node:http";
import type { Answer } from "../contract.ts";

/** A request as it goes over the wire. Names such as SHOP_ORDER_1 in it stand for what the running shop has. */
export interface FuzzRequest {
  readonly method: string;
  /** With the query, encoded. */
  readonly path: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes in base64 where they are not text. */
  readonly body?: string | { readonly base64: string };
}

/** A request before it is put together. */
export interface RequestParts {
  /** The values of the path's parameters, encoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Names and values, encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: FuzzRequest["body"];
}

/** What names in requests stand for, such as keys and the ids of orders. */
export type ShopNames = Readonly<Record<string, string>>;

/** Sends requests to one server. */
export interface Sender {
  send(request: FuzzRequest): Promise<Answer>;
  close(): void;
}

/** It ends what hangs, and judges no speed. */
const ANSWER_MS = 120_000;
const NAME = /SHOP_[A-Z]+(?:_[A-Z0-9]+)*/g;

/** Opens a sender that keeps its connections. @param origin `http://host:port` */
export function openSender(origin: string, names: ShopNames): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const { hostname, port } = new URL(origin);
  return {
    async send({ method, path, headers, body }) {
      const bytes = bytesOf(body, names);
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const sending = request({
          agent,
          hostname,
          port,
          method,
          path: withNames(path, names),
          headers: {
            ...mapValues(headers, (value) => withNames(value, names)),
            ...(bytes && { "content-length": bytes.length }),
          },
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        sending.on("response", resolve).on("error", reject).end(bytes);
      });
      const chunks: Buffer[] = await answer.toArray();
      return {
        status: answer.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()]),
        ),
        body: Buffer.concat(chunks).toString(),
      };
    },
    close: () => agent.destroy(),
  };
}

/** The request as a command line; keys stay names. */
export function toCurl({ method, path, headers, body }: FuzzRequest): string {
  const parts = [`curl -i --path-as-is -X ${method} ${quoted(`http://127.0.0.1:8080${path}`)}`];
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`);
  if (typeof body === "object") parts.push(`--data-binary @<(base64 -d <<<${body.base64})`);
  else if (body !== undefined) parts.push(`--data-binary ${quoted(body)}`);
  return parts.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function bytesOf(body: FuzzRequest["body"], names: ShopNames): Buffer | undefined {
  if (typeof body === "object") return Buffer.from(body.base64, "base64");
  return body === undefined ? undefined : Buffer.from(withNames(body, names));
}

function withNames(text: string, names: ShopNames): string {
  return text.replaceAll(NAME, (name) => names[name] ?? name);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

import {
  Agent,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createDelays } from "../shared/delays.ts";
import { readBody } from "../shared/http.ts";
import { type Answer, cut } from "./answer.ts";
import { createFaultSchedule, type FaultySubject } from "./fault-schedule.ts";
import { FAULT_KINDS, SHOP_FAULTS } from "./faults.ts";
import { answerWithFault } from "./faulty-answer.ts";
import { type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import { readId } from "./requests.ts";
import { findRoute } from "./route.ts";

/** How a fault injector is started. */
export interface FaultInjectorOptions {
  /** The ordering interface that it stands in front of, such as `http://127.0.0.1:8080/shop/v1`. */
  readonly target: string;
  /** 0 (the default) takes any free one. */
  readonly port?: number;
}

/** A fault injector that runs. It takes every fault but those of `SHOP_FAULTS`. */
export interface FaultInjector extends FaultyServer {
  /** How often each externalOrderId was posted through it, whatever came of it. */
  posts(): ReadonlyMap<string, number>;
}

/** What is known of a request before it is forwarded. */
interface Incoming extends FaultySubject {
  readonly expectedUnitPrice?: string | undefined;
}

const ACCEPTED = new Set(FAULT_KINDS.filter((kind) => !SHOP_FAULTS.has(kind)));
/** Headers that speak of one connection only; those of a body's length are written anew. */
const CONNECTION_HEADERS = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/**
 * Starts a fault injector in front of a deployment that speaks the ordering contract. It forwards requests and answers as they
 * are, except for the faults that it is asked for; a target that cannot be reached is a connection that is cut.
 */
export async function startFaultInjector({ target, port = 0 }: FaultInjectorOptions): Promise<FaultInjector> {
  const { origin } = new URL(target);
  const faults = createFaultSchedule(ACCEPTED);
  const delays = createDelays();
  const agent = new Agent({ keepAlive: true });
  const posts = new Map<string, number>();

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, Number.POSITIVE_INFINITY);
    const incoming = describe(request, body);
    if (incoming?.operation === "createOrder" && incoming.externalOrderId !== undefined) {
      posts.set(incoming.externalOrderId, (posts.get(incoming.externalOrderId) ?? 0) + 1);
    }
    const fault = incoming === null ? null : faults.take(incoming);
    const perform = () => fetchAnswer(agent, origin, request, body);
    await answerWithFault(
      { response, delays, perform, expectedUnitPrice: incoming?.expectedUnitPrice },
      fault,
    );
  };

  const server = await startFaultyServer({
    port,
    faults,
    delays,
    answer,
    onError: (_error, response) => cut(response),
  });
  return {
    ...server,
    posts: () => posts,
    async close() {
      await server.close();
      agent.destroy();
    },
  };
}

function describe({ method = "", url = "" }: IncomingMessage, body: Buffer | null): Incoming | null {
  const route = findRoute(method, url);
  if (route === null || "allow" in route) return null;
  const { operation, id, query } = route;
  switch (operation) {
    case "createOrder":
      return { operation, ...orderFields(body) };
    case "checkAvailability":
      return { operation, productId: readId(id) ?? undefined };
    case "listOrders":
      return { operation, externalOrderId: new URLSearchParams(query).get("externalOrderId") ?? undefined };
    default:
      return { operation };
  }
}

/** The fields of an order, as far as the body has them; whether it is a good one is for the target to say. */
function orderFields(body: Buffer | null): Omit<Incoming, "operation"> {
  try {
    const order = Object(JSON.parse(body?.toString() ?? ""));
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    return {
      externalOrderId: text(order.externalOrderId),
      productId: text(order.productId),
      expectedUnitPrice: text(order.expectedUnitPrice),
    };
  } catch {
    return {};
  }
}

/** Sends the request to the target and reads the whole answer. @throws when the target gives none. */
function fetchAnswer(
  agent: Agent,
  origin: string,
  { method, url = "/", headers }: IncomingMessage,
  body: Buffer | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host: _host, ...kept } = withoutConnection(headers);
    const outgoing = forward(origin + url, { agent, method, headers: kept }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const { "content-length": _length, ...sent } = withoutConnection(incoming.headers);
        resolve({ status: incoming.statusCode ?? 502, headers: sent, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function withoutConnection(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.includes(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

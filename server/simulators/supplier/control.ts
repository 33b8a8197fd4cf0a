import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { formatDecimalMoney } from "../../money/microcents.ts";
import type { Delays } from "../shared/delays.ts";
import { type RestartableServer, readBody } from "../shared/http.ts";
import { jsonAnswer, send } from "./answer.ts";
import type { FaultRule, FaultSchedule, RandomFaults } from "./fault-schedule.ts";
import { FAULT_KINDS, faultSchema } from "./faults.ts";
import { type Shop, UsageError } from "./shop.ts";

/** Where the control interface is, on the port of the server that it controls. It needs no key: it is for tests alone. */
export const CONTROL_PATH = "/control";

const BODY_LIMIT_BYTES = 1024 * 1024;

/** One request of the control interface. `id` is the path's, decoded. */
interface ControlRequest {
  readonly id: string;
  readonly body: unknown;
}

/** What the control interface can be asked for: `METHOD /path`, with `*` for an id, and what it answers. */
export type ControlRoutes = Readonly<Record<string, (request: ControlRequest) => unknown>>;

/** Answers a request of the control interface: 200 with JSON, or 4xx with `{error}` that says what is wrong. */
export async function answerControlRequest(
  routes: ControlRoutes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = (await readBody(request, BODY_LIMIT_BYTES))?.toString() ?? "";
  const [path = ""] = (request.url ?? "").slice(CONTROL_PATH.length).split("?");
  const [, name = "", id, action] = path.split("/");
  const pattern = [`${request.method} /${name}`, id === undefined ? [] : "*", action ?? []].flat().join("/");
  const route = Object.hasOwn(routes, pattern) ? routes[pattern] : undefined;
  if (route === undefined) {
    const error = `There is no ${request.method} ${path}. There are: ${Object.keys(routes).join(", ")}.`;
    return send(response, jsonAnswer(404, { error }));
  }
  try {
    const body = text === "" ? {} : JSON.parse(text);
    send(
      response,
      jsonAnswer(200, (await route({ id: decodeURIComponent(id ?? ""), body })) ?? { ok: true }),
    );
  } catch (error) {
    if (!isUsageFault(error)) throw error;
    send(response, jsonAnswer(400, { error: explain(error) }));
  }
}

// The schedule checks their fields.
const faultRule = z.custom<FaultRule>(isObject, "a fault must be an object");
const randomFaults = z.custom<RandomFaults>(isObject, "random faults must be an object");

/** The routes that ask for faults and for outages. */
export function faultRoutes(faults: FaultSchedule, server: RestartableServer, delays: Delays): ControlRoutes {
  return {
    "GET /faults": () => ({ faults: faults.pending() }),
    "POST /faults"({ body }) {
      for (const rule of Array.isArray(body) ? body : [body]) faults.add(faultRule.parse(rule));
      return { faults: faults.pending() };
    },
    "DELETE /faults": () => faults.clear(),
    "POST /random-faults": ({ body }) => faults.setRandom(randomFaults.parse(body)),
    "DELETE /random-faults": () => faults.setRandom(null),
    "POST /down"({ body }) {
      const { forMs } = z.strictObject({ forMs: z.int().min(0).max(86_400_000) }).parse(body);
      // The answer to this request goes out first.
      void delays.wait(0).then(async () => {
        await server.down();
        await delays.wait(forMs);
        await server.up();
      });
    },
  };
}

const productSettings = z.strictObject({
  name: z.string().min(1).exactOptional(),
  unitPrice: z.string().exactOptional(),
  stock: z.int().min(0).nullable().exactOptional(),
  redeemUrl: z.url().nullable().exactOptional(),
  fault: z
    .union([z.enum(FAULT_KINDS), faultSchema])
    .nullable()
    .exactOptional(),
});

const settingsSchema = z.strictObject({
  latencyMs: z.int().min(0).max(86_400_000).optional(),
  balance: z.string().nullable().optional(),
});

/** The routes that change what the supplier sells and show what was bought. */
export function shopRoutes(shop: Shop, settings: { latencyMs: number }): ControlRoutes {
  return {
    "POST /products/*"({ id, body }) {
      const { unitPrice, ...others } = productSettings.parse(body);
      const isNew = !shop.products.has(id) && unitPrice !== undefined;
      if (isNew) shop.setProduct({ ...others, productId: id, unitPrice });
      else shop.changeProduct(id, { ...others, ...(unitPrice === undefined ? {} : { unitPrice }) });
    },
    "POST /settings"({ body }) {
      const { latencyMs, balance } = settingsSchema.parse(body);
      if (balance !== undefined) shop.setBalance(balance);
      if (latencyMs !== undefined) settings.latencyMs = latencyMs;
    },
    "POST /orders/*/refund": ({ id }) => shop.refund(id),
    "GET /purchases": () => ({ purchases: [...shop.posted.keys()].map((id) => describePurchase(shop, id)) }),
    "GET /purchases/*": ({ id }) => describePurchase(shop, id),
  };
}

/** What was bought under an id, without its codes. */
function describePurchase({ posted }: Shop, externalOrderId: string) {
  const known = posted.get(externalOrderId);
  if (known === undefined) throw new UsageError(`Nothing was posted as ${externalOrderId}.`);
  const { order, requests } = known;
  return {
    externalOrderId,
    status: order?.status ?? "none",
    productId: order?.product.productId ?? known.productId,
    qty: order?.qty ?? known.qty,
    unitPrice: order === null ? null : formatDecimalMoney(order.unitPriceMicrocents),
    amount: order === null ? null : formatDecimalMoney(order.amountMicrocents),
    requests,
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isUsageFault(error: unknown): error is Error {
  const kinds = [z.ZodError, UsageError, SyntaxError, URIError];
  return kinds.some((kind) => error instanceof kind);
}

function explain(error: Error): string {
  return error instanceof z.ZodError ? z.prettifyError(error) : error.message;
}

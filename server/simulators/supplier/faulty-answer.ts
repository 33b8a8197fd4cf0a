import type { ServerResponse } from "node:http";
import type { Delays } from "../shared/delays.ts";
import { type Answer, cut, errorAnswer, jsonAnswer, madeUpPrices, send, sendHalf } from "./answer.ts";
import type { Fault, FaultKind } from "./faults.ts";

/** One request that is to be answered. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly delays: Delays;
  /** Does what was asked, once, and gives the right answer to it. */
  perform(): Answer | Promise<Answer>;
  /** What the buyer expected to pay, for a made-up `price_changed`. */
  readonly expectedUnitPrice?: string | undefined;
}

const NO_JSON: Answer = {
  status: 200,
  headers: { "Content-Type": "application/json" },
  body: "The service is being brought up to date. Please come back later.",
};

const OTHER_SHAPE = jsonAnswer(200, { ok: true, result: { order: null, codes: "see attachment" } });

const GATEWAY_ERROR: Answer = {
  status: 502,
  headers: { "Content-Type": "text/html" },
  body: "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n",
};

/**
 * Answers a request with a fault, or rightly without one. Faults that change the shop itself (`SHOP_FAULTS`) are the
 * business of `perform`; here its answer is sent as it is.
 */
export async function answerWithFault(exchange: Exchange, fault: Fault | null): Promise<void> {
  const { response, delays } = exchange;
  switch (fault?.kind) {
    case "refuse":
      return send(response, refusal(fault, exchange.expectedUnitPrice));
    case "cut_before":
      return cut(response);
    case "hang_before":
      return;
    case "error_before":
      return send(response, errorOf(fault.status));
    case "garbage":
    case "garbage_shape":
      if (fault.effect) await exchange.perform();
      return send(response, fault.kind === "garbage" ? NO_JSON : OTHER_SHAPE);
    case "late_effect":
      await delays.wait(fault.delayMs);
      return send(response, await exchange.perform());
    default:
      return answerAfterEffect(exchange, fault, await exchange.perform());
  }
}

async function answerAfterEffect(
  { response, delays }: Exchange,
  fault: Fault | null,
  answer: Answer,
): Promise<void> {
  switch (fault?.kind) {
    case "late":
      await delays.wait(fault.delayMs);
      return send(response, answer);
    case "cut_after":
      return cut(response);
    case "cut_midway":
      return sendHalf(response, answer);
    case "hang_after":
      return;
    case "error_after":
      return send(response, errorOf(fault.status));
    case "too_few_codes":
    case "too_many_codes":
    case "repeated_code":
      return send(response, withWrongCodes(answer, fault.kind));
    default:
      return send(response, answer);
  }
}

function refusal(fault: Extract<Fault, { kind: "refuse" }>, expectedUnitPrice: string | undefined): Answer {
  const prices = fault.code === "price_changed" ? madeUpPrices(expectedUnitPrice) : undefined;
  return errorAnswer(fault.code, { ...fault, details: fault.details ?? prices });
}

function errorOf(status: 500 | 502 | 503): Answer {
  if (status === 502) return GATEWAY_ERROR;
  return errorAnswer(status === 500 ? "server_error" : "supplier_unavailable");
}

function withWrongCodes(answer: Answer, kind: FaultKind): Answer {
  if (answer.status !== 200) return answer;
  const order = JSON.parse(answer.body.toString());
  if (!Array.isArray(order.codes)) return answer;
  return { ...answer, body: JSON.stringify({ ...order, codes: wrongCodes(order.codes, kind) }) };
}

function wrongCodes(codes: readonly string[], kind: FaultKind): readonly string[] {
  const [first = "SIM-NONE"] = codes;
  if (kind === "too_few_codes") return codes.slice(0, -1);
  if (kind === "too_many_codes") return [...codes, `${first}-EXTRA`];
  return codes.length < 2 ? codes : [...codes.slice(0, -1), first];
}

import type { Behaviour } from "./behaviour.ts";
import { vendorRefusal } from "./refusals.ts";
import { disconnect, type Exchange, sendBody, sendError, sendHead, sendVendorRefusal } from "./send.ts";

/**
 * Answers, late where it is asked for, with what is neither a message nor a count.
 * @returns whether nothing is left to do: the behaviour is a refusal, or the client has disconnected.
 */
export async function refuse(exchange: Exchange, behaviour: Behaviour): Promise<boolean> {
  if (behaviour.kind === "sim-slow-start") await exchange.delays.wait(behaviour.number);
  return exchange.response.destroyed || sendRefusal(exchange, behaviour);
}

function sendRefusal(exchange: Exchange, { kind, number }: Behaviour): boolean {
  const refusal = vendorRefusal(kind);
  if (refusal !== undefined) {
    sendVendorRefusal(exchange, refusal);
    return true;
  }
  switch (kind) {
    case "sim-overloaded":
      sendError(exchange, 529, "Overloaded", { "x-should-retry": "true", ...retryAfter(number) });
      return true;
    case "sim-rate-limited":
      sendError(exchange, 429, "This request would exceed your account's rate limit.", retryAfter(number));
      return true;
    case "sim-error":
      sendError(exchange, 500, "Internal server error");
      return true;
    case "sim-auth":
      sendError(exchange, 401, "invalid x-api-key");
      return true;
    case "sim-invalid":
      sendError(exchange, 400, "messages.0: this is a request that the model cannot take");
      return true;
    case "sim-status":
      sendError(exchange, number, `This is status ${number}.`);
      return true;
    case "sim-gateway":
      sendBody(exchange, 502, "<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html");
      return true;
    case "sim-redirect":
      sendHead(exchange, 307, { Location: "/v1/redirected", "Content-Length": "0" });
      exchange.response.end();
      return true;
    case "sim-no-answer":
      disconnect(exchange);
      return true;
    default:
      return false;
  }
}

function retryAfter(seconds: number): Record<string, string> {
  return seconds === 0 ? {} : { "Retry-After": String(seconds) };
}

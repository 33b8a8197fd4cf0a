import type { ServerResponse } from "node:http";
import type { DomainError } from "../../errors.ts";
import type { MessageAnswer } from "../../messages/message-answer.ts";
import { toErrorEvent } from "./errors.ts";

/** Writes the answer to a call as HTTP. */
export class HttpMessageAnswer implements MessageAnswer {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  lowered(maxTokens: number): void {
    this.#response.setHeader("X-Lowered-Max-Tokens", maxTokens);
  }

  whole(json: Buffer, upstreamRequestId: string | null): void {
    if (this.#response.destroyed) return;
    this.#name(upstreamRequestId);
    this.#response.writeHead(200, { "Content-Type": "application/json", "Content-Length": json.length });
    this.#response.end(json);
  }

  begin(mediaType: string, upstreamRequestId: string | null): void {
    if (this.#response.destroyed) return;
    this.#name(upstreamRequestId);
    this.#response.writeHead(200, {
      "Content-Type": mediaType,
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
  }

  write(events: Buffer): boolean {
    return this.#response.destroyed || this.#response.write(events);
  }

  onDrain(listener: () => void): void {
    this.#response.on("drain", listener).on("close", listener);
  }

  offDrain(listener: () => void): void {
    this.#response.removeListener("drain", listener).removeListener("close", listener);
  }

  end(): void {
    this.#response.end();
  }

  endBroken({ betweenEvents, cause }: { betweenEvents: boolean; cause: DomainError | null }): void {
    const event = toErrorEvent(cause);
    this.#response.end(betweenEvents ? event : `\n\n${event}`);
  }

  abort(): void {
    this.#response.destroy();
  }

  #name(upstreamRequestId: string | null): void {
    if (upstreamRequestId !== null) this.#response.setHeader("request-id", upstreamRequestId);
  }
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createParser } from "eventsource-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HttpMessageAnswer } from "./http-message-answer.ts";

const WHOLE = 'event: ping\ndata: {"type": "ping"}\n\n';
const HALF = 'event: content_block_delta\ndata: {"type": "cont';

/** Streams what its path says, and breaks off. */
const server = createServer(({ url }, response) => {
  const answer = new HttpMessageAnswer(response);
  answer.begin("text/event-stream", null);
  answer.write(Buffer.from(url === "/half" ? WHOLE + HALF : WHOLE));
  answer.endBroken({ betweenEvents: url !== "/half", cause: null });
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => void server.close(resolve)));

test.each(["/whole", "/half"])(
  "a stream that breaks off after %s of an event ends with the event error",
  async (path) => {
    const { port } = server.address() as AddressInfo;
    const names: (string | undefined)[] = [];
    const parser = createParser({ onEvent: ({ event }) => void names.push(event) });
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    parser.feed(await answer.text());
    expect([names[0], names.at(-1)]).toEqual(["ping", "error"]);
  },
);

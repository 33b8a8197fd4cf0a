import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Listening, listen } from "./listen.ts";

/** The answers that are to be given, in the order in which their requests were begun. */
let begun: { readonly path: string | undefined; readonly res: ServerResponse }[];
let listening: Listening;
let socket: Socket;
let answered: string;
beforeEach(async () => {
  begun = [];
  listening = await listen((req, res) => void begun.push({ path: req.url, res }), {
    host: "127.0.0.1",
    port: 0,
  });
  socket = connect(Number(new URL(listening.url).port), "127.0.0.1");
  answered = "";
  socket.on("data", (data) => {
    answered += data.toString();
  });
});
afterEach(async () => {
  socket.destroy();
  await listening.close();
});

const requests = (paths: readonly string[]) =>
  paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
const paths = () => begun.map(({ path }) => path);

test("requests that are sent ahead are begun when those before them are answered", async () => {
  socket.write(requests(["/a", "/b", "/c"]));
  for (const expected of [["/a"], ["/a", "/b"], ["/a", "/b", "/c"]]) {
    await expect.poll(() => begun.length).toBeGreaterThanOrEqual(expected.length);
    await nextTurn();
    expect(paths()).toEqual(expected);
    begun.at(-1)?.res.end(expected.at(-1));
  }
  await expect.poll(() => answered.match(/\/[a-d]/g)).toEqual(["/a", "/b", "/c"]);
  // One that comes later does not wait.
  socket.write(requests(["/d"]));
  await expect.poll(paths).toEqual(["/a", "/b", "/c", "/d"]);
  begun.at(-1)?.res.end();
});

test("a connection on which a thousand requests are sent ahead is cut off, and none but the first is begun", async () => {
  socket.on("error", () => {});
  socket.write(requests(Array.from({ length: 1_000 }, (_, index) => `/${index}`)));
  await once(socket, "close");
  expect(paths()).toEqual(["/0"]);
});

test("what waits on a connection that its client leaves is not begun, and a server that stops does not wait for it", async () => {
  socket.write(requests(["/a", "/b"]));
  await expect.poll(paths).toEqual(["/a"]);
  socket.destroy();
  await once(begun[0]?.res as ServerResponse, "close");
  await listening.close();
  expect(paths()).toEqual(["/a"]);
});

test("what waits when the answer before it closes the connection is not begun", async () => {
  socket.write(requests(["/a", "/b"]));
  await expect.poll(paths).toEqual(["/a"]);
  begun[0]?.res.setHeader("Connection", "close").end();
  await once(socket, "close");
  await nextTurn();
  expect(paths()).toEqual(["/a"]);
});

import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { listen } from "./listen.ts";

test("a server that stops does not wait for connections that were never used", {
  timeout: 40_000,
}, async () => {
  const { url, close } = await listen((_req, res) => res.end("here"), { host: "127.0.0.1", port: 0 });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  expect(await (await fetch(url)).text()).toBe("here");
  await close();
});

test("a server that stops answers what is under way", async () => {
  const asked = Promise.withResolvers<() => void>();
  const { url, close } = await listen((_req, res) => asked.resolve(() => res.end("late")), {
    host: "127.0.0.1",
    port: 0,
  });
  const answer = fetch(url).then((response) => response.text());
  const finish = await asked.promise;
  const closed = close();
  finish();
  expect(await answer).toBe("late");
  await closed;
});

test("a server that stops listens until what is under way is answered, and lets the application refuse", async () => {
  const asked = Promise.withResolvers<() => void>();
  let isClosing = false;
  const onClose = () => {
    isClosing = true;
  };
  const { url, close } = await listen(
    (_req, res) => (isClosing ? res.writeHead(503).end() : asked.resolve(() => res.end("late"))),
    { host: "127.0.0.1", port: 0, onClose },
  );
  const answer = fetch(url).then((response) => response.text());
  const finish = await asked.promise;
  const closed = close();
  expect((await fetch(url)).status).toBe(503);
  finish();
  expect(await answer).toBe("late");
  await closed;
  await expect(fetch(url)).rejects.toThrow();
});

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

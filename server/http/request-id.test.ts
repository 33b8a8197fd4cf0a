import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { requestId } from "./request-id.ts";

test("what may hold a key of this service is no request id, however its keys begin", async () => {
  const app = express().use(requestId((text) => text.includes("acme-")));
  app.use((_req, res) => void res.end());
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const idOf = async (given: string) => {
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}/`, { headers: { "X-Request-Id": given } });
    return headers.get("x-request-id");
  };
  expect(await idOf("buyer-42")).toBe("buyer-42");
  for (const key of ["acme-1234", "trace.acme-1234"])
    expect(await idOf(key)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDatabase } from "../database/database.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { callShop, openTestServices, type TestServices } from "../testing/test-shop.ts";
import { createAdminApp } from "./admin.ts";
import { type Listening, listen } from "./listen.ts";
import { createMetrics } from "./metrics.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
});

let listening: Listening | null = null;
afterEach(async () => {
  await listening?.close();
  listening = null;
});

test("the admin port tells the process, the database and the requests that were answered", async () => {
  const server = await startServerProcess(services.databaseUrl);
  expect((await fetch(`${server.adminUrl}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${server.adminUrl}/readyz`)).json()).toEqual({ ok: true });
  await callShop(server.baseUrl, "/pricing", {});
  await callShop(server.baseUrl, "/balance", {});
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/http_request_duration_seconds_count\{operation="getPricing",status="200"\} 1/);
  expect(metrics).toMatch(/http_request_duration_seconds_count\{operation="getBalance",status="401"\} 1/);
  expect((await fetch(new URL("/metrics", server.baseUrl))).status).toBe(404);
  expect(await server.kill("SIGTERM")).toBe(0);
  await services.dispose();
});

test("without its database a process is alive and not ready", async () => {
  listening = await listen(createAdminApp({ services, metrics: createMetrics() }), {
    host: "127.0.0.1",
    port: 0,
  });
  await closeDatabase(services.database);
  expect((await fetch(`${listening.url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${listening.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ ok: false });
});

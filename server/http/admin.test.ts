import { afterEach, beforeEach, expect, test } from "vitest";
import { composeAdminApp } from "../compose-http.ts";
import { closeDatabase } from "../database/database.ts";
import { requestShop } from "../testing/request-shop.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { addCaller, addModel, mostOutput } from "../testing/test-calls.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
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
  await requestShop(server.baseUrl, "/pricing", {});
  await requestShop(server.baseUrl, "/balance", {});
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(
    /http_request_duration_seconds_count\{interface="ordering",operation="getPricing",status="200"\} 1/,
  );
  expect(metrics).toMatch(
    /http_request_duration_seconds_count\{interface="ordering",operation="getBalance",status="401"\} 1/,
  );
  for (const purpose of ["reads", "writes"]) {
    expect(metrics).toMatch(new RegExp(`^database_connections_waiting\\{purpose="${purpose}"\\} \\d`, "m"));
    expect(metrics).toMatch(
      new RegExp(`^database_connection_waits_total\\{purpose="${purpose}"\\} [1-9]`, "m"),
    );
    expect(metrics).toMatch(
      new RegExp(`^database_connection_waits_refused_total\\{purpose="${purpose}"\\} 0$`, "m"),
    );
  }
  // Nothing is shared that is not to be.
  expect(metrics).not.toContain("request_limit_shared");
  expect((await fetch(new URL("/metrics", server.baseUrl))).status).toBe(404);
  expect(await server.kill("SIGTERM")).toBe(0);
  await services.dispose();
});

test("without its database a process is alive and not ready", async () => {
  listening = await listen(composeAdminApp({ services, metrics: createMetrics() }), {
    host: "127.0.0.1",
    port: 0,
  });
  await closeDatabase(services.database);
  expect((await fetch(`${listening.url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${listening.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    ok: false,
    reason: expect.stringMatching(/^the database takes no changes: ./),
  });
});

test("a process that is being stopped is not ready, and answers on connections that it closes until its port is", async () => {
  const server = await startServerProcess(services.databaseUrl, {
    DRAIN_MS: "600000",
    STOP_TIMEOUT_MS: "600001",
  });
  void server.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${server.adminUrl}/readyz`)).status).toBe(503);
  expect(await (await fetch(`${server.adminUrl}/readyz`)).json()).toEqual({
    ok: false,
    reason: "the process is being stopped",
  });
  const answer = await fetch(`${server.ownUrl}/shop/v1/pricing`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("connection")).toBe("close");
  await server.kill("SIGKILL");
  await services.dispose();
});

test("the metrics count the orders that have not come to an end, and tell of each supplier's breaker", async () => {
  const { simulator, supplierId, productId } = await addOnDemandProduct(services);
  const caller = await services.keys.authenticate((await services.addKey(await services.addAccount())).key);
  if (caller === null) throw new Error("the key is not known");
  const place = (externalOrderId: string) =>
    services.orders.place({ caller, externalOrderId, productId, qty: 1, expectedUnitPrice: null });
  listening = await listen(composeAdminApp({ services, metrics: createMetrics() }), {
    host: "127.0.0.1",
    port: 0,
  });
  expect(await figures()).toMatchObject({ processing: 0, stuck: 0, retryable: 0 });

  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(place("a")).rejects.toMatchObject({ code: "out_of_stock" });
  simulator.fault({ kind: "cut_before", times: null });
  await expect(place("b")).rejects.toMatchObject({ code: "supplier_unavailable" });
  await expect(place("c")).rejects.toMatchObject({ code: "supplier_unavailable" });
  const longAgoMs = Date.now() - 3_600_001;
  const stuck =
    "UPDATE purchases SET processing_since_ms = ? WHERE order_id = (SELECT MAX(order_id) FROM orders)";
  await services.database.change(stuck, [longAgoMs]);
  expect(await figures()).toMatchObject({ processing: 2, stuck: 1, retryable: 1 });
  expect(await breakerOf(supplierId)).toEqual({ closed: 1, "half-open": 0, open: 0 });

  for (let attempt = 0; (await breakerOf(supplierId)).open === 0; attempt += 1) {
    expect(attempt).toBeLessThan(30);
    await place(`d-${attempt}`).catch(() => {});
  }
  await simulator.close();
  await services.dispose();
});

test("the metrics count the calls that have not ended, and those of them that are abandoned", async () => {
  const caller = await addCaller(services, await services.addAccount());
  const model = await addModel(services);
  const begin = () => services.calls.begin({ caller, model, requestId: "r", most: mostOutput(10) });
  listening = await listen(composeAdminApp({ services, metrics: createMetrics() }), {
    host: "127.0.0.1",
    port: 0,
  });
  expect(await callFigures()).toEqual({ running: 0, abandoned: 0 });
  const call = await begin();
  await begin();
  await services.database.change("UPDATE calls SET lease_expires_at_ms = 1 WHERE call_id = ?", [call.callId]);
  expect(await callFigures()).toEqual({ running: 2, abandoned: 1 });
  services.calls.countUnfinished = () => Promise.reject(new Error("gone"));
  expect(await callFigures()).toEqual({});
  await services.dispose();
});

test("a scrape succeeds without the figures of a database that does not answer", async () => {
  listening = await listen(composeAdminApp({ services, metrics: createMetrics() }), {
    host: "127.0.0.1",
    port: 0,
  });
  services.orderAdministration.countUnfinished = () => Promise.reject(new Error("gone"));
  expect(await figures()).toEqual({});
  services.orderAdministration.countUnfinished = () => new Promise(() => {});
  expect(await figures()).toEqual({});
  await services.dispose();
});

async function scrape(): Promise<string> {
  const answer = await fetch(`${listening?.url}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The values of a metric's lines, by their state. */
function byState(text: string, line: RegExp): Record<string, number> {
  return Object.fromEntries([...text.matchAll(line)].map(([, state, value]) => [state, Number(value)]));
}

async function figures() {
  return byState(await scrape(), /^orders_unfinished\{state="([^"]+)"\} (\S+)$/gm);
}

async function callFigures() {
  return byState(await scrape(), /^calls_unfinished\{state="([^"]+)"\} (\S+)$/gm);
}

async function breakerOf(supplierId: string) {
  const line = new RegExp(
    `^supplier_breaker_state\\{supplier="${supplierId}",state="([^"]+)"\\} (\\S+)$`,
    "gm",
  );
  return byState(await scrape(), line);
}

import { expect, onTestFinished, test } from "vitest";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { expectSalesToAgree, orderUntilDelivered } from "../testing/supplied-orders.ts";
import { openTestServices } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

/** Longer than a buyer here goes on trying: what is taken up is taken up because a process has gone silent. */
const TIMES = { ORDER_LEASE_MS: "600000", RECOVERY_INTERVAL_MS: "100" };
/** Until the test ends the delay. */
const FOR_LONG_MS = 600_000;

test("what processes bought that were killed or frozen is taken up before their leases run out, and once each", async () => {
  const services = await openTestServices();
  const { key } = await services.addKey(await services.addAccount("100"));
  const { productId, simulator } = await addOnDemandProduct(services, {
    simulator: await startSupplierSimulator(),
  });
  const start = async (url: string): Promise<ServerProcess> => {
    const server = await startServerProcess(url, TIMES);
    onTestFinished(() => void server.kill("SIGKILL"));
    return server;
  };
  const post = ({ baseUrl }: ServerProcess, externalOrderId: string): Promise<Answer> =>
    requestShop(baseUrl, "/orders", { key, body: { externalOrderId, productId, qty: 2 } });

  const accepted = Promise.withResolvers<void>();
  let isWritten = false;
  const interceptor = await startInterceptor(services.databaseTcpUrl, ({ from, request }) => {
    if (from === "client" && /^execute INSERT INTO purchases/.test(request)) isWritten = true;
    if (isWritten && from === "server" && /COMMIT/.test(request)) {
      isWritten = false;
      beforeSending.freeze();
      accepted.resolve();
    }
    return "pass";
  });
  onTestFinished(() => interceptor.close());
  const [living, killed, beforeAnswer] = [
    await start(services.databaseUrl),
    await start(services.databaseUrl),
    await start(services.databaseUrl),
  ];
  const beforeSending = await start(interceptor.url);

  simulator.setLatency(FOR_LONG_MS);
  const unanswered = [post(killed, "killed").catch(() => null), post(beforeAnswer, "before its answer")];
  await expect.poll(() => simulator.purchases().size, { interval: 5 }).toBe(2);
  await killed.kill("SIGKILL");
  const lostAtMs = performance.now();
  beforeAnswer.freeze();
  unanswered.push(post(beforeSending, "before it is sent"));
  await accepted.promise;
  expect(simulator.purchases().size).toBe(2);
  simulator.setLatency(0);
  simulator.endDelays();

  const names = ["killed", "before its answer", "before it is sent"];
  const bought = await Promise.all(
    names.map(async (name) => {
      const answer = await orderUntilDelivered(() => post(living, name));
      console.log(`${name}: bought ${Math.round((performance.now() - lostAtMs) / 100) / 10} s later`);
      return answer;
    }),
  );
  expect(bought.map(({ status }) => status)).toEqual([200, 200, 200]);

  // They go on, with what they were about to do.
  for (const frozen of [beforeAnswer, beforeSending]) frozen.thaw();
  for (const answer of await Promise.all(unanswered)) expect([200, 503, undefined]).toContain(answer?.status);
  for (const [index, name] of names.entries()) {
    const again = await orderUntilDelivered(() => post(index === 2 ? beforeSending : beforeAnswer, name));
    expect(again.body).toMatchObject({ reused: true, codes: bought[index]?.body.codes });
  }
  for (const server of [living, beforeAnswer, beforeSending]) await server.kill("SIGTERM");
  expect(await expectSalesToAgree(services, simulator)).toBe(3);
  await simulator.close();
  // Ends with the audit.
  await services.dispose();
});

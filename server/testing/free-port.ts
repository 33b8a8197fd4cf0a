import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** A port of this machine that no program listens on at the moment, for programs that cannot say which one they took. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/**
 * A free port that is still free while its server is down. From 32768 on the system gives ports to connections: one
 * of those that wait for the server could be given the server's own, and would then be connected to itself.
 */
export async function findStablePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

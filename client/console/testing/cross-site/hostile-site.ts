import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A site that wants something of those who are signed in elsewhere. */
export interface HostileSite {
  readonly port: number;
  close(): Promise<void>;
}

const PAGE = `<!doctype html><title>Look at this</title><body><script src="/hostile-page.js"></script>`;

/** Serves its page under every name of this machine; `/to?URL` leads on to a URL, with method and body. */
export async function startHostileSite(): Promise<HostileSite> {
  const script = readFileSync(join(import.meta.dirname, "hostile-page.js"));
  const server = createServer((req, res) => {
    const { pathname, search } = new URL(req.url ?? "/", "http://hostile.example");
    if (pathname === "/to") res.writeHead(307, { Location: decodeURIComponent(search.slice(1)) }).end();
    else if (pathname === "/hostile-page.js") res.setHeader("Content-Type", "text/javascript").end(script);
    else res.setHeader("Content-Type", "text/html").end(PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

import { startMessageProxy } from "./message-proxy.ts";

/** A TCP proxy in front of a database server that can lose the answer to a COMMIT. */
export interface CommitCutter {
  /** The database's address through the proxy. */
  readonly url: string;
  /**
   * Lets the next COMMIT through to the server and cuts the connection when its answer comes back. Asked for several
   * times, cuts that many, on whichever connections they are.
   */
  cutNextCommit(): void;
  /** From now on does so to every n-th COMMIT (1: to all), over all connections; 0 ends it. */
  cutEvery(n: number): void;
  /** How many connections were cut. */
  cuts(): number;
  close(): void;
}

/** @param databaseUrl the database's address over TCP. */
export async function startCommitCutter(databaseUrl: string): Promise<CommitCutter> {
  let next = 0;
  let every = 0;
  let seen = 0;
  let cut = 0;
  const mayPass = () => {
    seen += 1;
    if (next > 0) next -= 1;
    else if (every === 0 || seen % every !== 0) return true;
    cut += 1;
    return false;
  };
  const proxy = await startMessageProxy(databaseUrl, ({ from, request }) =>
    from === "client" || request !== "query COMMIT" || mayPass() ? "pass" : "cut",
  );
  return {
    url: proxy.url,
    cutNextCommit() {
      next += 1;
    },
    cutEvery(n) {
      every = n;
      seen = 0;
    },
    cuts: () => cut,
    close: () => proxy.close(),
  };
}

import { startInterceptor } from "./interceptor.ts";

/** An interceptor in front of a database server that can lose a COMMIT, or the answer to it. */
export interface CommitCutter {
  /** The database's address through the interceptor. */
  readonly url: string;
  /**
   * Lets the next COMMIT through to the server and cuts the connection when its answer comes back. Asked for several
   * times, cuts that many, on whichever connections they are.
   */
  cutNextCommit(): void;
  /** The same, and takes the database away with it: all connections end, and none is made any more. */
  cutNextCommitAndShut(): void;
  /** From now on does so to every n-th COMMIT (1: to all), over all connections; 0 ends it. */
  cutEvery(n: number): void;
  /**
   * Cuts the connection before the next COMMIT reaches the server, which then rolls the transaction back.
   * @param after how many COMMITs pass before.
   */
  loseNextCommit(after?: number): void;
  /** How many connections were cut. */
  cuts(): number;
  close(): void;
}

/** @param databaseUrl the database's address over TCP. */
export async function startCommitCutter(databaseUrl: string): Promise<CommitCutter> {
  let next = 0;
  let every = 0;
  let shutsThen = false;
  let answered = 0;
  let cut = 0;
  /** How many COMMITs pass before each that is lost. */
  let losing: number[] = [];
  const isLost = () => {
    const lost = losing.includes(0);
    losing = losing.filter((before) => before > 0).map((before) => before - 1);
    return lost;
  };
  const losesAnswer = () => {
    answered += 1;
    if (next === 0) return every > 0 && answered % every === 0;
    next -= 1;
    return true;
  };
  const interceptor = await startInterceptor(databaseUrl, ({ from, request }) => {
    if (request !== "query COMMIT" || !(from === "client" ? isLost() : losesAnswer())) return "pass";
    cut += 1;
    if (shutsThen) interceptor.shut();
    return "cut";
  });
  return {
    url: interceptor.url,
    cutNextCommit() {
      next += 1;
    },
    cutNextCommitAndShut() {
      next += 1;
      shutsThen = true;
    },
    cutEvery(n) {
      every = n;
      answered = 0;
    },
    loseNextCommit(after = 0) {
      losing.push(after);
    },
    cuts: () => cut,
    close: () => interceptor.close(),
  };
}

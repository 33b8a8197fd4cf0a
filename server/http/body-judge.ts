import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { BusyError } from "./errors.ts";
import { inTurn } from "./event-loop-turns.ts";

/** A request whose body is judged in a thread, as far as its contract has to do with it. */
export interface JudgedRequest {
  /** The path as the document writes it. */
  readonly documentedPath: string;
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** Whose it is. */
  readonly account: string;
}

/** What is kept of a body that was judged in a thread, in place of all that it says; it is sent from there. */
export interface BodyExtract {
  /** As much of the body as is read of it afterwards. */
  readonly json: unknown;
}

/** How a request breaks its contract, as the validator says it. */
export interface ContractFault {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly object[];
}

/** What comes of judging a body. */
export type Judgement =
  | { readonly kind: "fits"; readonly extract: BodyExtract }
  | { readonly kind: "breaks the contract"; readonly fault: ContractFault }
  /** It is no JSON, or holds what no body may. */
  | { readonly kind: "unreadable"; readonly message: string };

/** What the thread is asked, and what it says to that. */
export interface Question {
  readonly request: JudgedRequest;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly values: number;
}
/** A text tells of a fault of the thread's own. */
export type Reply = Judgement | string;

/** Who waits for the reply. */
interface Asked {
  readonly settle: (reply: Reply) => void;
  readonly fail: (error: unknown) => void;
}

/** Judges large bodies outside of the event loop, one at a time, the accounts by turns. */
export interface BodyJudge {
  /**
   * @param gone aborted when nobody waits for it any more. @throws the signal's reason.
   * @throws {BusyError} the thread has ended, as it does when its memory is not enough.
   */
  judge(request: JudgedRequest, body: BodyBytes, gone: AbortSignal): Promise<Judgement>;
}

/** A body as it came. */
export interface BodyBytes {
  readonly pieces: readonly Buffer[];
  readonly lengthBytes: number;
  /** How many values and names a `JsonCounter` has counted in it. */
  readonly values: number;
}

/** So much is copied at a time. */
const COPIED_BYTES = 256 * 1024;
/** What the largest body comes to that holds as many values as it may, several times over. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 48 };

/** One thread for all services of a process that judge by the same module. */
const threads = new Map<string, JudgingThread>();

/** @param module the thread's own, which calls `judgeBodies`. It is started when the first body is to be judged. */
export function createBodyJudge(module: URL, logger: Logger): BodyJudge {
  const thread = threads.get(module.href) ?? new JudgingThread(module);
  threads.set(module.href, thread);
  return {
    async judge(request, body, gone) {
      await thread.turnOf(request.account, gone);
      try {
        return await thread.ask({ request, bytes: await copyOf(body), values: body.values });
      } catch (error) {
        if (!(error instanceof ThreadEndedError)) throw error;
        logger.error({ err: error.cause }, "the thread that judges bodies has ended");
        throw new BusyError("service");
      } finally {
        thread.endTurn();
      }
    },
  };
}

class ThreadEndedError extends Error {}

class JudgingThread {
  readonly #module: URL;
  /** Those who wait for their turn, by account; the account comes first that has waited longest. */
  readonly #queues = new Map<string, Set<() => void>>();
  #isAtWork = false;
  #worker: Worker | null = null;
  #asked: Asked | null = null;

  constructor(module: URL) {
    this.#module = module;
  }

  /** Resolves when it is the caller's turn, who then ends it. @throws the signal's reason. */
  async turnOf(account: string, gone: AbortSignal): Promise<void> {
    gone.throwIfAborted();
    if (!this.#isAtWork) {
      this.#isAtWork = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const queue = this.#queues.get(account) ?? new Set();
      this.#queues.set(account, queue.add(begin));
      const leave = () => {
        queue.delete(begin);
        if (queue.size === 0 && this.#queues.get(account) === queue) this.#queues.delete(account);
        reject(gone.reason);
      };
      gone.addEventListener("abort", leave, { once: true });
      function begin() {
        gone.removeEventListener("abort", leave);
        resolve();
      }
    });
  }

  endTurn(): void {
    const [next] = this.#queues;
    this.#isAtWork = next !== undefined;
    if (next === undefined) return;
    const [account, queue] = next;
    const [begin] = queue;
    this.#queues.delete(account);
    if (begin !== undefined) queue.delete(begin);
    if (queue.size > 0) this.#queues.set(account, queue);
    begin?.();
  }

  /** In one's turn. @param question whose bytes are the thread's afterwards. @throws {ThreadEndedError} */
  async ask(question: Question): Promise<Judgement> {
    const worker = this.#worker ?? this.#start();
    const judgement = await new Promise<Reply>((settle, fail) => {
      this.#asked = { settle, fail };
      worker.postMessage(question, [question.bytes.buffer]);
    });
    if (typeof judgement === "string") throw new Error(`A body could not be judged: ${judgement}`);
    return judgement;
  }

  #start(): Worker {
    const worker = new Worker(this.#module, { resourceLimits: THREAD_MEMORY });
    let cause: unknown;
    worker.on("message", (reply: Reply) => this.#asked?.settle(reply));
    worker.once("error", (error) => {
      cause = error;
    });
    worker.once("exit", () => {
      this.#worker = null;
      this.#asked?.fail(new ThreadEndedError("", { cause }));
    });
    // Listening for messages has held the process, which ends when nothing else does.
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

/** The bytes of a body once more, since the pieces are passed on as they came. */
async function copyOf({ pieces, lengthBytes }: BodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(lengthBytes);
  let copied = 0;
  for (const piece of pieces)
    for (let start = 0; start < piece.length; start += COPIED_BYTES) {
      const part = piece.subarray(start, start + COPIED_BYTES);
      await inTurn(lengthBytes - copied, () => bytes.set(part, copied));
      copied += part.length;
    }
  return bytes;
}

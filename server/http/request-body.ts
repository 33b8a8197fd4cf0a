import type { BodyExtract } from "./body-judge.ts";
import type { BodyLease } from "./body-memory.ts";

/** What is held of a body. */
interface Content {
  readonly json: unknown;
  readonly pieces: readonly Buffer[];
  readonly extract: BodyExtract | null;
}

/** A JSON body, until it is let go. */
export class RequestBody {
  /** In bytes. */
  readonly length: number;
  #content: Content | null;
  readonly #lease: BodyLease;

  constructor(content: Content & { readonly length: number }, lease: BodyLease) {
    this.length = content.length;
    this.#content = content;
    this.#lease = lease;
  }

  /** What it says; of one that was judged in a thread, as much as its extract has. */
  get json(): unknown {
    return this.#held().json;
  }

  /** What was kept of a body that was judged in a thread; null: all of it is there. */
  get extract(): BodyExtract | null {
    return this.#held().extract;
  }

  /** The bytes as they came, where the operation passes them on; none otherwise. */
  get pieces(): readonly Buffer[] {
    return this.#held().pieces;
  }

  /** Lets go of it, so that it takes no more memory; may be called again. */
  release(): void {
    this.#content = null;
    this.#lease.release();
  }

  #held() {
    if (this.#content === null) throw new Error("The body was let go.");
    return this.#content;
  }
}

import type { BodyLease } from "./body-memory.ts";

/** A JSON body, until it is let go. */
export class RequestBody {
  /** In bytes. */
  readonly length: number;
  #content: { readonly json: unknown; readonly pieces: readonly Buffer[] } | null;
  readonly #lease: BodyLease;

  constructor(
    content: { readonly json: unknown; readonly pieces: readonly Buffer[]; readonly length: number },
    lease: BodyLease,
  ) {
    this.length = content.length;
    this.#content = content;
    this.#lease = lease;
  }

  /** What it says. */
  get json(): unknown {
    return this.#held().json;
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

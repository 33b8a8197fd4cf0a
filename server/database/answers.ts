/** A database from which nothing has come for so long, though somebody waited for as long as one may wait, answers nobody. */
const SILENCE_MS = 3_000;

/** Whether anything comes from a database, on any of a process's connections to it. */
export class Answers {
  #lastMs = performance.now();
  #areMissing = false;

  /** Somebody waited in vain, and nothing has come to anybody since: the next need not wait for as long. */
  get areMissing(): boolean {
    return this.#areMissing;
  }

  /** Something has come from the database. */
  came(): void {
    this.#lastMs = performance.now();
    this.#areMissing = false;
  }

  /** Somebody has waited in vain. */
  missed(): void {
    if (performance.now() - this.#lastMs > SILENCE_MS) this.#areMissing = true;
  }
}

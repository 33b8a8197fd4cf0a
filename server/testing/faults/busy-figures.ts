import type { Answer } from "../request-shop.ts";

/** What is asked of a busy shop. */
export type BusyKind = "order" | "call" | "stream" | "slow stream" | "abort";

interface Phase {
  readonly name: string;
  readonly answers: Map<string, number>;
  readonly tookMs: Map<BusyKind, number[]>;
  longestUntilDelivered: { readonly tookMs: number; readonly trail: readonly string[] };
  longestSilenceMs: number;
}

/** An outage has a name: never 500. */
const TRUE_ANSWERS = [200, 503];

/** What buyers and callers have seen, phase by phase. */
export class BusyFigures {
  /** Orders that were answered with their codes. */
  delivered = 0;
  /** Answers that no fault excuses. */
  readonly wrong: string[] = [];
  readonly #phases: Phase[] = [];
  #lastDefiniteMs = performance.now();

  constructor() {
    this.begin("before");
  }

  begin(name: string): void {
    this.#phases.push({
      name,
      answers: new Map(),
      tookMs: new Map(),
      longestUntilDelivered: { tookMs: 0, trail: [] },
      longestSilenceMs: 0,
    });
  }

  /** An answer, which is null when the connection broke, and how long it took. */
  count(kind: BusyKind, answer: Pick<Answer, "status" | "text"> | null, tookMs: number): void {
    const phase = this.#current();
    const name = `${kind} ${answer?.status ?? "cut"}`;
    phase.answers.set(name, (phase.answers.get(name) ?? 0) + 1);
    if (answer === null) return;
    if (!TRUE_ANSWERS.includes(answer.status))
      this.wrong.push(`${phase.name}: ${kind} ${answer.status} ${answer.text}`);
    if (answer.status !== 200) return;
    phase.tookMs.set(kind, [...(phase.tookMs.get(kind) ?? []), tookMs]);
    const nowMs = performance.now();
    phase.longestSilenceMs = Math.max(phase.longestSilenceMs, nowMs - this.#lastDefiniteMs);
    this.#lastDefiniteMs = nowMs;
  }

  /** A delivered order, how long its buyer has tried, and what each sending came to. */
  deliver(tookMs: number, trail: readonly string[]): void {
    this.delivered += 1;
    const phase = this.#current();
    if (tookMs > phase.longestUntilDelivered.tookMs) phase.longestUntilDelivered = { tookMs, trail };
  }

  toString(): string {
    return this.#phases.map(describe).join("\n");
  }

  #current(): Phase {
    return this.#phases.at(-1) as Phase;
  }
}

function describe({ name, answers, tookMs, longestUntilDelivered, longestSilenceMs }: Phase): string {
  const counts = [...answers].toSorted().map(([answer, count]) => `${answer}: ${count}`);
  const times = [...tookMs].map(([kind, all]) => `${kind} ${percentile(all, 0.5)}/${percentile(all, 0.99)}`);
  return [
    `${name}:`,
    `  answers: ${counts.join(", ")}`,
    `  p50/p99 of those answered, ms: ${times.join(", ")}`,
    `  longest until delivered ${Math.round(longestUntilDelivered.tookMs)} ms (${longestUntilDelivered.trail.join(", ")})`,
    `  longest without any 200 ${Math.round(longestSilenceMs)} ms`,
  ].join("\n");
}

function percentile(all: readonly number[], share: number): number {
  const sorted = all.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

import type { TimedLoad } from "./cpu-time.ts";
import { median, ratios } from "./measure.ts";

/** Units that a line of the table may have. */
export type Unit =
  | "orders/s"
  | "requests/s"
  | "codes/s"
  | "messages/s"
  | "streams/s"
  | "ms"
  | "s"
  | "MB"
  | "KB";

/** What a result must be to be enough for now. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the bench's table. */
export interface Result {
  readonly name: string;
  readonly unit: Unit;
  /** Median of the service's rounds. */
  readonly measured: number;
  /** Median of the floor's rounds, and what the floor is; null where the target is an absolute number. */
  readonly floor: { readonly description: string; readonly measured: number } | null;
  /**
   * User and system time of the service's process, and of the floor's, for each of what is counted, in microseconds: medians of
   * their rounds. Null where it was not measured.
   */
  readonly cpuMicroseconds: Sides<number | null> | null;
  /** What is compared with the target: the median of the rounds' ratios or, without a floor, what was measured. */
  readonly value: number;
  readonly target: Target;
  readonly met: boolean;
  /** Every round, for a reader who doubts the medians. */
  readonly rounds: Sides<readonly number[]>;
  readonly cpuMicrosecondsOfRounds?: Sides<readonly (number | null)[]>;
  /** Whatever else was seen, such as statements per order. */
  readonly notes: Readonly<Record<string, number>>;
}

/** What is known of the service, and of its floor. */
export interface Sides<Known> {
  readonly measured: Known;
  readonly floor: Known;
}

/** Compares the rates of the service with those of its floor, round by round. */
export function compareLoads({
  measured,
  floor,
  ...options
}: Omit<Parameters<typeof compare>[0], "measured" | "floor"> & Sides<readonly TimedLoad[]>): Result {
  const ratesOf = (loads: readonly TimedLoad[]) => loads.map(({ perSecond }) => perSecond);
  const timesOf = (loads: readonly TimedLoad[]) => loads.map(({ cpuMicroseconds }) => cpuMicroseconds);
  const times = { measured: timesOf(measured), floor: timesOf(floor) };
  return {
    ...compare({ ...options, measured: ratesOf(measured), floor: ratesOf(floor) }),
    cpuMicroseconds: { measured: medianTime(times.measured), floor: medianTime(times.floor) },
    cpuMicrosecondsOfRounds: times,
  };
}

function medianTime(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : median(known);
}

/** Compares the service with its floor, round by round. */
export function compare(options: {
  name: string;
  unit: Unit;
  measured: readonly number[];
  floor: readonly number[];
  floorDescription: string;
  target: Target;
  notes?: Readonly<Record<string, number>>;
}): Result {
  const { name, unit, measured, floor, floorDescription, target, notes = {} } = options;
  const value = median(ratios(measured, floor));
  return {
    name,
    unit,
    measured: median(measured),
    floor: { description: floorDescription, measured: median(floor) },
    cpuMicroseconds: null,
    value,
    target,
    met: meets(value, target),
    rounds: { measured, floor },
    notes,
  };
}

/** Compares one number with an absolute target. */
export function absolute(options: {
  name: string;
  unit: Unit;
  measured: number;
  target: Target;
  notes?: Readonly<Record<string, number>>;
}): Result {
  const { name, unit, measured, target, notes = {} } = options;
  return {
    name,
    unit,
    measured,
    floor: null,
    cpuMicroseconds: null,
    value: measured,
    target,
    met: meets(measured, target),
    rounds: { measured: [measured], floor: [] },
    notes,
  };
}

function meets(value: number, target: Target): boolean {
  return "atLeast" in target ? value >= target.atLeast : value <= target.atMost;
}

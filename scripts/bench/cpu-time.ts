import { readFile } from "node:fs/promises";

/** As long as a tick of the kernel's clocks is for programs, on every platform that Linux runs on. */
const TICK_MICROSECONDS = 10_000;
/** Where the times of user and system are behind the name of the program, which may hold anything. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** How often something was done in a measurement, and how fast. */
export interface Load {
  readonly count: number;
  readonly perSecond: number;
}

/** A load with what each time cost. */
export interface TimedLoad extends Load {
  /** User and system time of the process that did it, for each time; null where the machine does not tell. */
  readonly cpuMicroseconds: number | null;
}

/** Runs a load, and tells what CPU time a process took for it. */
export async function timeLoad(pid: number, load: () => Promise<Load>): Promise<TimedLoad> {
  const before = await cpuMicrosecondsOf(pid);
  const { count, perSecond } = await load();
  const after = await cpuMicrosecondsOf(pid);
  const isKnown = before !== null && after !== null && count > 0;
  return { count, perSecond, cpuMicroseconds: isKnown ? (after - before) / count : null };
}

/**
 * The CPU time that a process has taken since it began, in steps of 10 ms. Only Linux tells it of another process without asking
 * that one.
 */
async function cpuMicrosecondsOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MICROSECONDS;
}

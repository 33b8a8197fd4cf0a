import { randomInt } from "node:crypto";

const WORD = 2 ** 32;

/** A seed for a run that names none. */
export function anySeed(): number {
  return randomInt(WORD);
}

/** Numbers from 0 up to 1 (exclusive), the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return scramble(state) / WORD;
  };
}

/** Spreads a 32-bit number over all 32 bits; different numbers may meet. */
export function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 1 | value);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

import { randomInt } from "node:crypto";
import { onTestFailed } from "vitest";
import { readSetting } from "../../settings/setting.ts";
import { MAX_SEED, testSettings } from "../../settings/test-settings.ts";

/**
 * How often a test of faults does something: `scaled(300)` is 300 in full. The environment variable FAULTS_SCALE makes
 * all of them shorter (0.1: a tenth) or longer (10: ten times), but never less than once.
 */
export function scaled(count: number): number {
  const scale = readSetting(testSettings.faultsScale, process.env);
  return Math.max(1, Math.round(count * scale));
}

const ownSeed = randomInt(MAX_SEED);

/** FAULTS_SEED, or else a new seed in each run; for what is chosen outside of a test. */
export function runSeed(): number {
  return readSetting(testSettings.faultsSeed, process.env) ?? ownSeed;
}

/**
 * The seed of whatever a test chooses at random: FAULTS_SEED, or else a new one in each run. When the test that asks
 * for it fails, prints how to repeat it.
 */
export function faultSeed(): number {
  const seed = runSeed();
  const scale = process.env.FAULTS_SCALE ? ` FAULTS_SCALE=${process.env.FAULTS_SCALE}` : "";
  onTestFailed(() => console.error(`This test's choices are repeated with FAULTS_SEED=${seed}${scale}`));
  return seed;
}

/**
 * The share of a list that FAULTS_SCALE asks for, evenly spread; which ones depends on the seed.
 * @param least so many at least, or all.
 */
export function scaledSelection<T>(items: readonly T[], { least = 1, seed = faultSeed() } = {}): T[] {
  const count = Math.min(Math.max(scaled(items.length), least), items.length);
  const offset = seed % Math.max(items.length, 1);
  return Array.from({ length: items.length === 0 ? 0 : count }, (_, index) => {
    const position = (offset + Math.floor((index * items.length) / count)) % items.length;
    return items[position] as T;
  });
}

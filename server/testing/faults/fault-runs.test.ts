import { afterEach, expect, test, vi } from "vitest";
import { faultSeed, scaled, scaledSelection } from "./fault-runs.ts";

afterEach(() => void vi.unstubAllEnvs());

test("every count is scaled by one variable, and never to nothing", () => {
  vi.stubEnv("FAULTS_SCALE", "");
  expect(scaled(300)).toBe(300);
  vi.stubEnv("FAULTS_SCALE", "0.1");
  expect([scaled(300), scaled(4), scaled(1)]).toEqual([30, 1, 1]);
  vi.stubEnv("FAULTS_SCALE", "2");
  expect(scaled(300)).toBe(600);
  vi.stubEnv("FAULTS_SCALE", "much");
  expect(() => scaled(300)).toThrow("FAULTS_SCALE");
});

test("a seed is the one that is given, or else one for the whole file", () => {
  vi.stubEnv("FAULTS_SEED", "");
  expect(faultSeed()).toBe(faultSeed());
  vi.stubEnv("FAULTS_SEED", "17");
  expect(faultSeed()).toBe(17);
  vi.stubEnv("FAULTS_SEED", "1.5");
  expect(() => faultSeed()).toThrow("FAULTS_SEED");
});

test("a selection is as long as the scale says, spread evenly, and another one with another seed", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index);
  vi.stubEnv("FAULTS_SCALE", "0.04");
  vi.stubEnv("FAULTS_SEED", "10");
  expect(scaledSelection(hundred)).toEqual([10, 35, 60, 85]);
  vi.stubEnv("FAULTS_SEED", "90");
  expect(scaledSelection(hundred)).toEqual([90, 15, 40, 65]);
  expect(scaledSelection([])).toEqual([]);
  vi.stubEnv("FAULTS_SCALE", "2");
  expect(scaledSelection(hundred).toSorted((a, b) => a - b)).toEqual(hundred);
});

import { afterEach, expect, test, vi } from "vitest";
import { faultSeed, scaled } from "./fault-runs.ts";

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

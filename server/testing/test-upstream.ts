import { onTestFinished } from "vitest";
import {
  startUpstreamSimulator,
  type UpstreamSimulator,
  type UpstreamSimulatorOptions,
} from "../simulators/upstream/upstream-simulator.ts";

/** Starts the upstream simulator for the test that runs; it is closed with it. */
export async function startTestUpstream(options: UpstreamSimulatorOptions = {}): Promise<UpstreamSimulator> {
  const simulator = await startUpstreamSimulator(options);
  onTestFinished(() => simulator.close());
  return simulator;
}

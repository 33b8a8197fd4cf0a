import { startUpstreamSimulator } from "../../../server/simulators/upstream/upstream-simulator.ts";
import { serveQuestions } from "../child-process.ts";

/** How to reach it. */
export interface UpstreamReady {
  readonly url: string;
  readonly apiKey: string;
}

/** The upstream simulator at full speed, in a process of its own. */
await serveQuestions(async () => {
  const { url, apiKey } = await startUpstreamSimulator({ remember: false });
  return { ready: { url, apiKey } satisfies UpstreamReady, answer: async () => null };
});

import { INTERFACES, type InterfaceName } from "../contract.ts";
import { serveMock } from "./serve-mock.ts";

/** The mocks of all interfaces, in this process. */
export interface RunningMock {
  readonly baseUrls: Readonly<Record<InterfaceName, string>>;
  stop(): Promise<void>;
}

/**
 * Serves what `npm run mock` serves, on free ports.
 * @param dynamic whether answers are made up from the schemas instead of the examples
 */
export async function startMock({ dynamic = false } = {}): Promise<RunningMock> {
  const mocks = await Promise.all(
    INTERFACES.map(async (name) => ({ name, ...(await serveMock(name, 0, dynamic, true)) })),
  );
  const baseUrls = mocks.map(({ name, origin, basePath }) => [name, origin + basePath]);
  return {
    baseUrls: Object.fromEntries(baseUrls),
    async stop() {
      await Promise.all(mocks.map(({ close }) => close()));
    },
  };
}

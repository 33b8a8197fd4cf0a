import { INTERFACES } from "../contract.ts";
import { serveMock } from "./serve-mock.ts";

/** The mocks of all interfaces, in this process. */
export interface RunningMock {
  /** The base URL of an interface. @throws when there is none of that name. */
  baseUrl(name: string): string;
  stop(): Promise<void>;
}

/**
 * Serves what `npm run mock` serves, on free ports.
 * @param dynamic whether answers are made up from the schemas instead of the examples
 */
export async function startMock({ dynamic = false } = {}): Promise<RunningMock> {
  const mocks = new Map(
    await Promise.all(
      INTERFACES.map(async (name) => [name, await serveMock(name, 0, dynamic, true)] as const),
    ),
  );
  return {
    baseUrl(name) {
      const mock = mocks.get(name);
      if (mock === undefined) throw new Error(`There is no mock of ${name}.`);
      return mock.origin + mock.basePath;
    },
    async stop() {
      await Promise.all([...mocks.values()].map(({ close }) => close()));
    },
  };
}

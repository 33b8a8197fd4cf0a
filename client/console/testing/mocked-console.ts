import { beforeAll } from "vitest";
import { type MockConsole, startMockConsole } from "./mock-console.ts";

/** The page on the mock; it is there while tests run. */
export type MockedConsole = Pick<MockConsole, "url" | "prefer" | "statusesOf">;

/** One for all test files of this process, with which it ends; started when it is first wanted. */
let shared: Promise<MockConsole> | null = null;

/** The page on the mock, for all tests of the file that calls it at its top. */
export function mockedConsole(): MockedConsole {
  let served: MockConsole | null = null;
  beforeAll(async () => {
    shared ??= startMockConsole();
    served = await shared;
  });
  const mock = () => {
    if (served === null) throw new Error("The page is served while tests run.");
    return served;
  };
  return {
    get url() {
      return mock().url;
    },
    prefer: (...examples) => mock().prefer(...examples),
    statusesOf: (operationId) => mock().statusesOf(operationId),
  };
}

import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();

testExamples({ mock, path: `/${EXAMPLE_ACCOUNT}`, operationId: "getOverview" });

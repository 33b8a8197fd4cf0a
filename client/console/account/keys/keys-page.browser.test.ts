import { press } from "../../testing/browser.ts";
import { EXAMPLE_ACCOUNT, testExamples } from "../../testing/examples.ts";
import { mockedConsole } from "../../testing/mocked-console.ts";

const mock = mockedConsole();
const keys = `/${EXAMPLE_ACCOUNT}/keys`;
const key = `${keys}/key_01938c8e6f2b7c3e9a4d5f6071829305`;

testExamples({ mock, path: keys, operationId: "listKeys" });
testExamples({
  mock,
  path: keys,
  operationId: "createKey",
  perform: async (page) => {
    await press(page, "Make a key");
    await press(page, "Make it");
  },
});
testExamples({ mock, path: key, operationId: "getKey" });
testExamples({ mock, path: key, operationId: "changeKey", perform: (page) => press(page, "Save") });
testExamples({
  mock,
  path: key,
  operationId: "rotateKey",
  perform: async (page) => {
    await press(page, "Rotate");
    await press(page, "Make the new secret");
  },
});
testExamples({
  mock,
  path: key,
  operationId: "revokeKey",
  perform: async (page) => {
    await press(page, "Revoke");
    await press(page, "Revoke for good");
  },
});
testExamples({
  mock,
  path: key,
  operationId: "endKeyOverlap",
  given: [{ operationId: "getKey", status: 200, name: "in_overlap" }],
  perform: (page) => press(page, "End the former secrets now"),
});

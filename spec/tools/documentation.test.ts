import { expect, test } from "vitest";
import { readReferenceScript } from "./documentation.ts";

test("the program of the reference has the form that its pages, and the links of the guide to them, go by", async () => {
  expect(await readReferenceScript()).toMatchObject({
    file: expect.stringMatching(/^redoc-[0-9a-f]{16}\.js$/),
  });
});

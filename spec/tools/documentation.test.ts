import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readReferenceScript } from "./documentation.ts";

test("the program of the reference has the form that its pages, and the links of the guide to them, go by", async () => {
  expect(await readReferenceScript()).toMatchObject({
    file: expect.stringMatching(/^redoc-[0-9a-f]{16}\.js$/),
  });
});

test.each([
  [
    "that the service shows",
    "",
    "http://127.0.0.1:8080/docs/notes.html#/a",
    "http://127.0.0.1:8080/notes/v1",
  ],
  ["below a path", "", "https://shop.example/codes/docs/notes.html", "https://shop.example/codes/notes/v1"],
  [
    "of a service with a set address",
    "https://shop.example",
    "http://inside/docs/notes.html",
    "https://shop.example/notes/v1",
  ],
  ["that is opened as a file", undefined, "file:///tmp/docs/notes.html", "https://{host}/notes/v1"],
])("a page %s names its service as the server", (_, service, href, url) => {
  const template = readFileSync(join(import.meta.dirname, "documentation-page.hbs"), "utf8");
  const script = /<script>\n(.*?)<\/script>/s.exec(template)?.[1] ?? "";
  const context = {
    document: { documentElement: { dataset: { service } } },
    location: { href },
    definition: { openapi: "3.1.0", servers: [{ url: "https://{host}/notes/v1" }] },
  };
  const shown = runInNewContext(`${script}; withService(definition)`, context);
  expect(shown).toMatchObject({ openapi: "3.1.0", servers: [{ url }] });
});

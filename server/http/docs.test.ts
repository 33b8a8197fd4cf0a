import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import helmet from "helmet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDocs } from "./docs.ts";
import { type Listening, listen } from "./listen.ts";

const policy = "default-src 'none'; script-src 'sha256-abc='";
const page = (text: string) =>
  `<html><head><meta http-equiv="Content-Security-Policy" content="${policy}"></head>${text}</html>`;

let folder: string;
let server: Listening;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shop-docs-"));
  const app = express()
    .enable("strict routing")
    .use(helmet(), createDocs(join(folder, "docs")));
  app.use((_req, res) => void res.status(404).json({ error: "not_found" }));
  server = await listen(app, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const get = (path: string) => fetch(`${server.url}${path}`);

test("without pages the answer says how to make them, and they are served as soon as they are there", async () => {
  const missing = await get("/docs");
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('"npm run docs" makes it');

  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs/index.html"), page("all"));
  await writeFile(join(folder, "docs/notes.html"), page("notes"));
  const index = await get("/docs");
  expect(index.url).toBe(`${server.url}/docs/`);
  expect(await index.text()).toContain("all");
  const notes = await get("/docs/notes.html");
  expect(notes.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await notes.text()).toContain("notes");
  expect((await get("/docs/others.html")).status).toBe(404);
});

test("a page may run its own scripts, and nothing else of the service may run any", async () => {
  const own = (await get("/docs/notes.html")).headers.get("content-security-policy");
  expect(own).toBe(`${policy}; frame-ancestors 'none'`);
  const others = (await get("/pricing")).headers.get("content-security-policy");
  expect(others).toContain("script-src 'self'");
});

test.each([
  "/docs/..%2Fsecret.html",
  "/docs/%2e%2e%2fsecret.html",
  "/docs/.hidden.html",
  "/docs/a/b.html",
  "/DOCS",
])("%s is no page", async (path) => {
  await writeFile(join(folder, "secret.html"), "secret");
  const answer = await get(path);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({ error: "not_found" });
});

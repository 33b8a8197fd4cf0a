import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Listening, listen } from "../listen.ts";
import { createPages } from "./pages.ts";

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let folder: string;
let served: Listening;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pages-"));
  const app = express().enable("case sensitive routing").enable("strict routing");
  app.use(createPages({ name: "account", folder }));
  app.use((_req, res) => res.status(418).end());
  served = await listen(app, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await served.close();
  await rm(folder, { recursive: true });
});

const ask = (path: string, options: RequestInit = {}) =>
  fetch(served.url + path, { redirect: "manual", headers: BROWSER, ...options });

async function build(): Promise<void> {
  await mkdir(join(folder, "account"), { recursive: true });
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "account/index.html"), "<!doctype html>");
  await writeFile(join(folder, "assets/account-Ab3_-xYz.js"), "export {};");
  await writeFile(join(folder, "secret.js"), "not for you");
}

test("a page that was not built says what to do, and is served as soon as it is there", async () => {
  const missing = await ask("/account/");
  expect(missing.status).toBe(503);
  expect(missing.headers.get("cache-control")).toBe("no-store");
  expect(await missing.text()).toContain("npm run build");
  await build();
  const page = await ask("/account/");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|data:/);
});

test("every path of a page answers browsers with it, and programs and interfaces as if there was none", async () => {
  await build();
  for (const path of ["/account/acc_1", "/account/acc_1/keys/key_1?a=b"])
    expect((await ask(path)).status, path).toBe(200);
  const redirected = await ask("/account");
  expect([redirected.status, redirected.headers.get("location")]).toEqual([302, "account/"]);
  for (const path of ["/account/v1/session", "/account/v2", "/accounts", "/Account/", "/"])
    expect((await ask(path)).status, path).toBe(418);
  for (const Accept of ["*/*", "application/json"])
    expect((await ask("/account/acc_1", { headers: { Accept } })).status).toBe(418);
  expect((await ask("/account/", { method: "POST" })).status).toBe(405);
});

test("a program may be kept for ever, and nothing beside the programs can be had", async () => {
  await build();
  const program = await ask("/account/assets/account-Ab3_-xYz.js");
  expect(program.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(program.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  for (const file of [
    "..%2Fsecret.js",
    "%2e%2e%2fsecret.js",
    "other-Ab3_-xYz.js",
    "account-Ab3_-xYz.map",
    "%00",
  ])
    expect((await ask(`/account/assets/${file}`)).status, file).toBe(404);
});

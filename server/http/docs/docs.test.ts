import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import express from "express";
import helmet from "helmet";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Listening, listen } from "../listen.ts";
import { trustedProxies } from "../service-address.ts";
import type { Contract } from "./contract-files.ts";
import { createDocs, type Documentation, leadBrowsersTo } from "./docs.ts";
import { inlineMarkdown } from "./markdown.ts";

const policy = "default-src 'none'; script-src 'sha256-abc='";
const page = (text: string) =>
  `<html><head><meta http-equiv="Content-Security-Policy" content="${policy}"></head>${text.repeat(500)}</html>`;

const document = {
  openapi: "3.1.0",
  info: { title: "Notes", version: "1.2.0", description: "Short <notes>." },
  servers: [{ url: "https://{host}/notes/v1", variables: { host: { default: "notes.example" } } }],
  paths: { "/notes": { get: { operationId: "listNotes", tags: ["All notes"], summary: "List the notes" } } },
} as unknown as Contract["document"];
const documentation: Documentation = {
  contracts: [{ name: "notes", document, document30: { ...document, openapi: "3.0.3" } }],
  changelog: "# Changelog\n\n## notes 1.2.0 (2026-11-21)\n\n- Notes have **titles**.\n\n## For operators\n",
  publicUrl: null,
  trustedProxies: ["127.0.0.0/8"],
};

let folder: string;
let server: Listening;
let publicServer: Listening;
/** A service whose clock stands still. */
let stillServer: Listening;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shop-docs-"));
  server = await serve({});
  publicServer = await serve({ publicUrl: "https://shop.example/codes" });
  stillServer = await serve({ now: () => 0 });
});
afterAll(async () => {
  await Promise.all([server.close(), publicServer.close(), stillServer.close()]);
  await rm(folder, { recursive: true });
});

function serve(more: Partial<Documentation>): Promise<Listening> {
  const docs = createDocs({ ...documentation, folder: join(folder, "docs"), ...more });
  const app = express().disable("etag").enable("strict routing");
  app.use(helmet(), leadBrowsersTo("docs/"), docs);
  app.use((_req, res) => void res.status(404).json({ error: "not_found" }));
  return listen(app, { host: "127.0.0.1", port: 0 });
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** One request as it is, with no header that is not given: fetch adds its own, and lets nobody choose the Host. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  { method = "GET", at = server } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${at.url}${path}`, { method, headers, agent: false }, async (answer) => {
      const bytes = await buffer(answer);
      resolve({ status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() });
    });
    sent.once("error", reject).end();
  });
}

/** The whole folder as `npm run docs` leaves it. */
async function render(text: string): Promise<void> {
  await mkdir(join(folder, "docs"), { recursive: true });
  await writeFile(join(folder, "docs/notes.html"), page(text));
  await writeFile(join(folder, "docs/redoc-0123.js"), `"${text.repeat(500)}"`);
}

test("without reference pages the answer says how to make them, and they are served as soon as they are there", async () => {
  const missing = await ask("/docs/notes.html");
  expect(missing.status).toBe(404);
  expect(missing.text).toContain('"npm run docs" makes it');
  await render("first");
  const notes = await ask("/docs/notes.html");
  expect(notes.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(notes.text).toContain("first");
  expect((await ask("/docs/others.html")).status).toBe(404);

  await render("second");
  await utimes(join(folder, "docs/notes.html"), new Date(), new Date("2030-01-01"));
  expect((await ask("/docs/notes.html")).text).toContain("second");
});

test("the guide is there without them, and tells of every contract", async () => {
  expect(await ask("/docs")).toMatchObject({ status: 302, headers: { location: "docs/" } });
  const guide = await ask("/docs/");
  expect((await ask("/docs/index.html")).text).toBe(guide.text);
  expect(guide.status).toBe(200);
  expect(guide.text).toContain(`<code>${server.url}<wbr>/notes<wbr>/v1</code>`);
  expect(guide.text).toContain("Short &lt;notes&gt;.");
  expect(guide.text).toContain('<time datetime="2026-11-21">');
  expect(guide.text).toContain("<li>Notes have <strong>titles</strong>.</li>");
  for (const file of ["notes/openapi.json", "notes/openapi-3.0.yaml"])
    expect(guide.text).toContain(`href="${file}"`);
});

test("the guide links to the reference pages that there are", async () => {
  await rm(join(folder, "docs"), { recursive: true, force: true });
  expect((await ask("/docs/")).text).not.toContain("notes.html");
  await render("all");
  const { text } = await ask("/docs/");
  expect(text).toContain('href="notes.html"');
  expect(text).toContain('href="notes.html#/all-notes/listnotes"');
  expect(await ask("/docs/notes")).toMatchObject({ status: 302, headers: { location: "notes.html" } });
  expect(await ask("/docs/notes/")).toMatchObject({ status: 302, headers: { location: "../notes.html" } });
});

/** With all that the guide can show. */
const RICH = {
  ...document,
  paths: {
    "/notes": {
      get: {
        operationId: "listNotes",
        tags: ["All notes"],
        summary: "List the notes",
        "x-codeSamples": [{ lang: "Shell", label: "curl", source: "curl" }],
      },
    },
  },
  components: {
    schemas: { Code: { description: "| HTTP | What to do |\n|---|---|\n| 400 | Correct it. |" } },
  },
} as unknown as Contract["document"];

test("every link of the guide leads to what is there", async () => {
  await render("all");
  const rich = await serve({ contracts: [{ name: "notes", document: RICH, document30: RICH }] });
  onTestFinished(() => rich.close());
  const { text } = await ask("/docs/", {}, { at: rich });
  for (const part of ["first", "errors", "operations", "downloads", "changes"])
    expect(text).toContain(`href="#notes-${part}"`);
  const targets = new Set([...text.matchAll(/ href="([^"]*)"/g)].map(([, target = ""]) => target));
  expect(targets.size).toBeGreaterThan(5);
  for (const target of targets) {
    if (target === "data:,") continue;
    const { pathname, hash } = new URL(target, `${server.url}/docs/`);
    expect((await ask(pathname)).status, target).toBe(200);
    if (pathname === "/docs/" && hash) expect(text, target).toContain(` id="${hash.slice(1)}"`);
  }
});

test("reference pages know that the service shows them, and the address that is set", async () => {
  await render("all");
  expect((await ask("/docs/notes.html")).text).toContain('<html data-service="">');
  expect((await ask("/docs/notes.html", {}, { at: publicServer })).text).toContain(
    '<html data-service="https://shop.example/codes">',
  );
});

describe("every page and contract", () => {
  const paths = ["/docs/", "/docs/notes.html", "/docs/redoc-0123.js", "/docs/notes/openapi.json"];
  beforeAll(() => render("all"));

  test.each(paths)("%s is compressed as it is asked for, once", async (path) => {
    // The contract of this test is too short to gain anything.
    const isSmall = path.endsWith("openapi.json");
    const plain = await ask(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.vary).toContain("Accept-Encoding");
    const packed = await ask(path, { "Accept-Encoding": "gzip, deflate, br" });
    expect(packed.headers["content-encoding"]).toBe(isSmall ? undefined : "br");
    const gzipped = await ask(path, { "Accept-Encoding": "gzip, br;q=0" });
    expect(gzipped.headers["content-encoding"]).toBe(isSmall ? undefined : "gzip");
    if (isSmall) return;
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.text);
    expect(gunzipSync(gzipped.bytes).toString()).toBe(plain.text);
    const tags = [plain, packed, gzipped].map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(3);
  });

  test.each(paths)("%s is not sent again to who has it", async (path) => {
    const headers = { "Accept-Encoding": "br" };
    const { headers: first } = await ask(path, headers);
    const etag = String(first.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await ask(path, { ...headers, "If-None-Match": known });
      expect(again).toMatchObject({ status: 304, text: "" });
      expect(again.headers).toMatchObject({
        etag,
        "cache-control": first["cache-control"],
        vary: first.vary,
      });
    }
    expect(await ask(path, { ...headers, "If-None-Match": '"other"' })).toMatchObject({ status: 200 });
  });

  test.each(paths)("HEAD of %s says what GET says, without the body", async (path) => {
    const headers = { "Accept-Encoding": "gzip" };
    const got = await ask(path, headers);
    const head = await ask(path, headers, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    const { date: _, ...said } = got.headers;
    expect(head.headers).toMatchObject(said);
    const known = { ...headers, "If-None-Match": String(got.headers.etag) };
    expect(await ask(path, known, { method: "HEAD" })).toMatchObject({ status: 304 });
  });
});

test("what never changes is kept for ever, the rest is asked for again", async () => {
  await render("all");
  const cachingOf = async (path: string, at = server) =>
    (await ask(path, {}, { at })).headers["cache-control"];
  expect(await cachingOf("/docs/redoc-0123.js")).toBe("public, max-age=31536000, immutable");
  expect(await cachingOf("/docs/notes.html")).toBe("public, no-cache");
  for (const path of ["/docs/", "/docs/notes/openapi.json"]) {
    expect(await cachingOf(path)).toBe("private, no-cache");
    expect(await cachingOf(path, publicServer)).toBe("public, no-cache");
  }
});

test("a page may run its own scripts, and nothing else of the service may run any", async () => {
  await render("all");
  const policyOf = async (path: string) => (await ask(path)).headers["content-security-policy"];
  expect(await policyOf("/docs/notes.html")).toBe(`${policy}; frame-ancestors 'none'`);
  expect(await policyOf("/docs/")).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(await policyOf("/pricing")).toContain("script-src 'self'");
  for (const path of ["/docs/", "/docs/notes.html", "/docs/notes/openapi.json"]) {
    expect((await ask(path)).headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  }
});

describe("the contracts", () => {
  test.each(["openapi.json", "openapi-3.0.json"])("%s names the address that was asked", async (file) => {
    const { headers, text } = await ask(`/docs/notes/${file}`);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const { servers, ...rest } = JSON.parse(text);
    expect(servers).toEqual([{ url: `${server.url}/notes/v1`, description: expect.any(String) }]);
    const { servers: _, ...own } = document;
    expect(rest).toEqual({ ...own, openapi: file === "openapi.json" ? "3.1.0" : "3.0.3" });
  });

  test.each(["openapi.yaml", "openapi-3.0.yaml"])("%s is YAML", async (file) => {
    const { headers, text } = await ask(`/docs/notes/${file}`);
    expect(headers["content-type"]).toBe("application/yaml; charset=utf-8");
    expect(text).toContain(`\n  - url: "${server.url}/notes/v1"\n`);
    expect(text).toMatch(file === "openapi.yaml" ? /^openapi: "3\.1\.0"$/m : /^openapi: "3\.0\.3"$/m);
  });

  const serverFor = async (headers: Record<string, string>, at = server) =>
    JSON.parse((await ask("/docs/notes/openapi.json", headers, { at })).text).servers[0].url;

  test("the address is the Host's, and that of TLS in front of it", async () => {
    expect(await serverFor({ Host: "Codes.example:8443" })).toBe("http://codes.example:8443/notes/v1");
    expect(await serverFor({ Host: "[::1]:8080" })).toBe("http://[::1]:8080/notes/v1");
    const secure = { Host: "codes.example", "X-Forwarded-Proto": "https" };
    expect(await serverFor(secure)).toBe("https://codes.example/notes/v1");
    expect(await serverFor({ ...secure, "X-Forwarded-Host": "evil.example" })).toBe(
      "https://codes.example/notes/v1",
    );
  });

  test("TLS is believed of nobody else, and of no proxy that says nothing", async () => {
    const strict = await serve({ trustedProxies: ["10.0.0.0/8"] });
    onTestFinished(() => strict.close());
    const secure = { Host: "codes.example", "X-Forwarded-Proto": "https" };
    expect(await serverFor(secure, strict)).toBe("http://codes.example/notes/v1");
    expect(await serverFor({ ...secure, "X-Forwarded-Proto": "http" })).toBe("http://codes.example/notes/v1");
  });

  test("a proxy is trusted by its address or its network", () => {
    const isTrusted = trustedProxies(["10.0.0.5", "10.1.0.0/16", "::1"]);
    for (const address of ["10.0.0.5", "10.1.255.1", "::1", "::ffff:10.1.0.1"])
      expect(isTrusted(address), address).toBe(true);
    for (const address of ["10.0.0.6", "10.2.0.1", "::2", "::ffff:10.2.0.1", ""])
      expect(isTrusted(address), address).toBe(false);
  });

  const NO_HOSTS = ["a b", 'x"y', "<script>", "x/y", "user@host", "a".repeat(300), "x:999999", "$&"];
  test.each([...NO_HOSTS, "x:65536", "[::1]:99999", "[:::]", "999.1.1.1"])(
    "the Host %s is none: the document keeps its own server",
    async (host) => {
      expect(await serverFor({ Host: host })).toBe("https://{host}/notes/v1");
      expect((await ask("/docs/", { Host: host })).text).not.toContain(`//${host}`);
    },
  );

  test("an address that is set ends no text", async () => {
    const odd = await serve({ publicUrl: 'https://shop.example/"><b>' });
    onTestFinished(() => odd.close());
    expect(await serverFor({}, odd)).toBe("https://shop.example/%22%3E%3Cb%3E/notes/v1");
    expect((await ask("/docs/", {}, { at: odd })).text).not.toContain('"><b>');
  });

  test("the address that is set counts, whatever the Host", async () => {
    expect(await serverFor({ Host: "evil.example" }, publicServer)).toBe(
      "https://shop.example/codes/notes/v1",
    );
  });

  test("who asks for ever new hosts gets what is not compressed", async () => {
    const askAs = (host: string) =>
      ask("/docs/", { Host: host, "Accept-Encoding": "br" }, { at: stillServer });
    const first = await askAs("first.example");
    expect(first.headers["content-encoding"]).toBe("br");
    for (let index = 0; index < 15; index += 1) await askAs(`h${index}.example`);
    const other = await askAs("other.example");
    expect(other.headers["content-encoding"]).toBeUndefined();
    expect(other.text).toContain("http://other.example<wbr>/notes<wbr>/v1");
    expect((await askAs("first.example")).headers.etag).toBe(first.headers.etag);
  });
});

test.each([
  "/docs/..%2Fsecret.html",
  "/docs/%2e%2e%2fsecret.html",
  "/docs/.hidden.html",
  "/docs/a/b.html",
  "/docs/notes/..%2f..%2fsecret.html",
  "/docs/notes/package.json",
  "/docs/others/openapi.json",
  "/DOCS",
])("%s is no page", async (path) => {
  await writeFile(join(folder, "secret.html"), "secret");
  expect(await ask(path)).toMatchObject({ status: 404, text: '{"error":"not_found"}' });
});

describe("what is documentation", () => {
  const paths = ["", "/", "/index.html", "/notes", "/notes/", "/notes.html", "/redoc-0123.js"];
  test.each([...paths, "/notes/openapi.json", "/notes/openapi-3.0.yaml"])(
    "/docs%s is read, and nothing else is done with it",
    async (path) => {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
        expect(await ask(`/docs${path}`, {}, { method })).toMatchObject({
          status: 405,
          headers: { allow: "GET, HEAD", "content-type": "text/plain; charset=utf-8" },
        });
    },
  );

  test("what is none is nothing for every method", async () => {
    for (const path of ["/docs/others", "/docs/notes/package.json", "/docs/a/b.html"])
      expect(await ask(path, {}, { method: "POST" })).toMatchObject({ status: 404 });
  });
});

test.each([
  ["**`count_tokens` of more** is 402", "<strong><code>count_tokens</code> of more</strong> is 402"],
  ["**more of `a*b`**, `**c**`", "<strong>more of <code>a*b</code></strong>, <code>**c**</code>"],
  ["[`x`](#y) and `<b>`", '<a href="#y"><code>x</code></a> and <code>&lt;b&gt;</code>'],
])("%s is written as it is meant", (text, expected) => {
  expect(inlineMarkdown(text).html).toBe(expected);
});

describe("the root", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  test("leads browsers to the guide", async () => {
    const answer = await ask("/", { Accept: browser });
    expect(answer).toMatchObject({ status: 302, headers: { location: "docs/", vary: "Accept" } });
  });

  test.each(["*/*", "application/json", "application/json, text/html", undefined])(
    "says to programs that it is nothing: Accept: %s",
    async (accept) => {
      const answer = await ask("/", accept === undefined ? {} : { Accept: accept });
      expect(answer).toMatchObject({
        status: 404,
        text: '{"error":"not_found"}',
        headers: { vary: "Accept" },
      });
    },
  );

  test("is asked for with POST as before", async () => {
    expect(await ask("/", { Accept: browser }, { method: "POST" })).toMatchObject({ status: 404 });
  });
});

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Script } from "node:vm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startProgram } from "../server/testing/program.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";

const root = resolve(import.meta.dirname, "..");

/** A copy of what a designer's commands need, so that the spec can be edited. */
let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "shop-desk-"));
  for (const part of [
    "generated",
    "contract-tests/change",
    "server/http/docs",
    "server/http/service-address.ts",
    "server/http/document.ts",
    "server/http/representation.ts",
    "CHANGELOG.md",
    "package.json",
  ])
    cpSync(join(root, part), join(project, part), { recursive: true });
  for (const script of ["generate", "lint-spec", "contract-diff", "docs", "preview"])
    cpSync(join(root, `scripts/${script}.ts`), join(project, `scripts/${script}.ts`));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(join(project, "spec"), { recursive: true, force: true });
  cpSync(join(root, "spec"), join(project, "spec"), { recursive: true });
});

function edit(file: string, change: (text: string) => string): void {
  const path = join(project, file);
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

function run(script: string, ...args: string[]) {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const colour = "properties:\n  colour:\n    type: string\n    description: The colour of the box.\n";
const withColour = (text: string) => text.replace("properties:\n", colour);

describe("spec:check", () => {
  test("gives file, line and mending of every problem", () => {
    edit("spec/ordering/schemas/Product.yaml", (text) => text.replace("additionalProperties: false\n", ""));
    edit("spec/ordering/schemas/Availability.yaml", (text) => text.replace("Currency.yaml", "Curency.yaml"));
    edit("spec/ordering/parameters/Limit.yaml", (text) => text.replace("description:", "descrption:"));
    edit("spec/ordering/examples/balance.yaml", (text) => text.replace(/balance: .*/, "balance: lots"));
    const other = interfaceNames().find((name) => name !== "ordering");
    const [broken = ""] = globSync(`spec/${other}/schemas/*.yaml`, { cwd: project });
    edit(broken, (text) => `${text}broken: [`);
    writeFileSync(join(project, "spec/ordering/schemas/Lost.yaml"), "type: string\n");
    const { status, stderr } = run("lint-spec");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^spec\/ordering\/schemas\/Product\.yaml:1:1 {2}An object schema needs .*\n {4}Add `type: object` and/m,
    );
    expect(stderr).toMatch(
      /^spec\/ordering\/schemas\/Availability\.yaml:\d+:\d+ {2}Can't resolve \$ref.*\n {4}Mend the path of the \$ref/m,
    );
    expect(stderr).toMatch(
      /^spec\/ordering\/parameters\/Limit\.yaml:4:1 {2}.*`descrption`.*\n {4}Did you mean `description`\?/m,
    );
    expect(stderr).toMatch(
      /^spec\/ordering\/examples\/balance\.yaml:\d+:\d+ {2}.*\n {4}Change the example so that it fits the schema/m,
    );
    expect(stderr).toMatch(new RegExp(`^${broken}:\\d+:\\d+ {2}Failed to parse`, "m"));
    expect(stderr).toMatch(/^spec\/ordering\/schemas\/Lost\.yaml:1:1 {2}No file refers to this one/m);
    expect(stderr).not.toContain(project);
  });
});

describe("contract:diff", () => {
  test("says in words when there is no base, and fails when one is named that is missing", () => {
    const { status, stdout } = run("contract-diff");
    expect(stdout).toMatch(/^There is nothing to compare the contract with, so nothing was checked\./);
    expect(status).toBe(0);
    expect(run("contract-diff", "--base", "v9")).toMatchObject({
      status: 2,
      stderr: 'There is no commit "v9" here.\n',
    });
  });
});

describe("contract:diff in a repository", () => {
  beforeAll(() => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@shop.example", ...args], {
        cwd: project,
      });
    git("init", "--quiet", "--initial-branch=main");
    git("add", "generated", "CHANGELOG.md");
    git("commit", "--quiet", "--message", "The contract");
  });

  test("says that an optional field breaks nobody", () => {
    edit("spec/ordering/schemas/Product.yaml", withColour);
    const { status, stdout } = run("contract-diff", "--base", "main");
    expect(stdout).toContain("Product.colour is new and may be missing, in answers of GET /products 200.");
    expect(stdout).toContain("No buyer breaks.");
    expect(status).toBe(0);
  });

  test("fails on a breaking change until the version and the changelog say so", () => {
    const { info, components } = JSON.parse(
      readFileSync(join(project, "generated/ordering/openapi.json"), "utf8"),
    );
    const { maximum } = components.schemas.OrderRequest.properties.qty;
    const next = `${Number(info.version.split(".")[0]) + 1}.0.0`;
    edit("spec/ordering/schemas/OrderRequest.yaml", (text) =>
      text.replace(`maximum: ${maximum}`, `maximum: ${maximum - 1}`),
    );
    const refused = run("contract-diff", "--base", "main", "--markdown");
    expect(refused.stdout).toContain(
      `- \`OrderRequest.qty\`: maximum was ${maximum}, is ${maximum - 1} now, in requests of \`POST /orders\`.`,
    );
    expect(refused.stdout).toContain(`- [ ] Set \`info.version\` in spec/ordering/openapi.yaml to ${next}`);
    expect(refused.status).toBe(1);

    edit("spec/ordering/openapi.yaml", (text) =>
      text.replace(`version: ${info.version}`, `version: ${next}`),
    );
    edit("CHANGELOG.md", (text) => `${text}\n## ordering ${next}\n\n- One code less per order.\n`);
    const allowed = run("contract-diff", "--base", "main");
    expect(allowed.stdout).toContain("Buyers break, and the version and the changelog say so.");
    expect(allowed.status).toBe(0);
  });
});

describe("docs", () => {
  test("renders pages that need nothing from anywhere, once per change", () => {
    const folder = join(project, "pages");
    const render = () => run("docs", "--output", folder, "--if-changed");
    expect(render()).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("index.html") });
    for (const name of ["index", ...interfaceNames()]) {
      const html = readFileSync(join(folder, `${name}.html`), "utf8");
      const [, policy = ""] =
        /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
      expect(policy).toMatch(/^default-src 'none'; script-src ('self' )?('sha256-[\w+/=]+' ?)+; style-src/);
      expect(/cdn\.redoc(?:ly)?\.(?:ly|com)/.test(html)).toBe(false);
      const body = html.replaceAll(/<script\b[^>]*>.*?<\/script>/gs, "");
      expect(body.match(/<(link(?! rel="icon" href="data:)|img|iframe|object|embed)\b[^>]*/g) ?? []).toEqual(
        [],
      );
      // The program of all reference pages lies beside them.
      for (const [, file = ""] of html.matchAll(/<script\b[^>]*\ssrc="([^"]+)"/g))
        expect(() => new Script(readFileSync(join(folder, file), "utf8"))).not.toThrow();
      expect(body.match(/url\(\s*["']?(https?:)?\/\//)).toBeNull();
    }
    const shows = (text: string) => readFileSync(join(folder, "ordering.html"), "utf8").includes(text);
    expect(shows("Buy codes from the balance")).toBe(true);
    expect(render().stdout).toBe("");
    edit("spec/ordering/schemas/Product.yaml", withColour);
    expect(render().stdout).toContain("index.html");
    expect(shows("The colour of the box.")).toBe(true);
  });
});

describe("preview", () => {
  let url: string;
  beforeEach(async () => {
    const preview = startProgram(process.execPath, ["scripts/preview.ts", "--port", "0"], {
      cwd: project,
      env: { ...process.env, REDOCLY_TELEMETRY: "off" },
    });
    onTestFinished(async () => {
      expect((await preview.kill("SIGTERM")).exitCode).toBe(0);
    });
    [url = ""] = /http:\/\/\S+/.exec(await preview.printed(/http:/)) ?? [];
  });

  const page = async (name: string) => (await fetch(new URL(name, url))).text();

  /** Edits the spec and waits until open pages are told to reload. */
  async function editAndReload(file: string, change: (text: string) => string): Promise<void> {
    const { body } = await fetch(new URL("/changes", url));
    const reader = body?.getReader();
    edit(file, change);
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain("event: change");
    await reader?.cancel();
  }

  /** Whether a page holds a text; pages are too large to be shown when they do not. */
  const has = async (name: string, text: string) => (await page(name)).includes(text);

  test("follows the spec, also through a state that cannot be read", async () => {
    const file = "spec/ordering/schemas/Product.yaml";
    expect(await has("/", 'href="ordering.html"')).toBe(true);
    expect(await has("/ordering.html", "EventSource")).toBe(true);
    await editAndReload(file, withColour);
    expect(await has("/ordering.html", "The colour of the box.")).toBe(true);
    await editAndReload(file, (text) => `${text}broken: [`);
    expect(await has("/ordering.html", `${file}:`)).toBe(true);
    await editAndReload(file, (text) => text.replace("broken: [", ""));
    expect(await has("/ordering.html", `${file}:`)).toBe(false);
  });
});

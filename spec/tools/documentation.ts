import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interfaceNames } from "./interface-names.ts";
import { redocly } from "./redocly.ts";

/** Renders the documentation of an interface as one HTML page that needs nothing else. @throws when spec/ is not readable. */
export async function renderDocumentation(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-documentation-"));
  try {
    const page = join(folder, "page.html");
    const { ok, messages } = await redocly(
      "build-docs",
      `${name}/openapi.yaml`,
      `--output=${page}`,
      `--template=${join(import.meta.dirname, "documentation-page.hbs")}`,
      "--inlineBundle",
      "--openapi.disableTelemetry",
      "--openapi.hideDownloadButtons",
    );
    if (!ok) throw new Error(`spec/${name} cannot be rendered:\n${messages}`);
    // The page would ask its maker's host for a logo; where it gets none, it shows none.
    return (await readFile(page, "utf8")).replaceAll("https://cdn.redoc.ly/", "data:,");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A page that leads to the documentation of every interface. */
export async function renderDocumentationIndex(): Promise<string> {
  const entries = interfaceNames().map((name) => `<li><a href="${name}.html">${name}</a></li>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Documentation</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { font-family: sans-serif; line-height: 1.6; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }</style>
</head>
<body>
<h1>Documentation</h1>
<p>The interfaces of this service, as their contracts in <code>spec/</code> describe them:</p>
<ul>
${entries.join("\n")}
</ul>
</body>
</html>
`;
}

/** Lets a page run its own scripts and nothing else, and load nothing from anywhere. */
export function sealPage(html: string): string {
  const scripts = [...html.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(([, script = ""]) => {
    const hash = createHash("sha256").update(script).digest("base64");
    return `'sha256-${hash}'`;
  });
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    "<head>",
    () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

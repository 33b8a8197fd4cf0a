import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ADDRESS, type AddressedText } from "./addressed-texts.ts";
import { type Release, releasesOf } from "./changes.ts";
import { codeBlock, codeTabs } from "./code-block.ts";
import type { Contract } from "./contract-files.ts";
import { type DescribedContract, type DescribedOperation, describeContract } from "./described-contract.ts";
import { type Html, html, raw } from "./html.ts";
import { inlineMarkdown, markdown, tableToHtml } from "./markdown.ts";
import { pageOf } from "./rendered-files.ts";

/** What the guide is made of. */
export interface GuideSource {
  /** In the order in which they are shown. */
  readonly contracts: readonly Pick<Contract, "name" | "document">[];
  /** The project's CHANGELOG.md; null where it is not there. */
  readonly changelog: string | null;
  /** The interfaces that have a reference page, by name; the others are not linked to one. */
  readonly references: ReadonlySet<string>;
}

/** A contract with its history, and whether it has a reference page. */
interface Chapter extends DescribedContract {
  readonly releases: readonly Release[];
  readonly hasReference: boolean;
  /** Where a running service has the document; null where none runs. */
  readonly documentUrl: string | null;
}

const STYLE = "guide.css";
const SCRIPT = "guide-script.js";
const readPart = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");

/** The guide at /docs: which interface is for whom, first requests, errors, downloads and changes. */
export function guideOf(source: GuideSource): AddressedText {
  const [style, script] = [readPart(STYLE), readPart(SCRIPT)].map(hashOf);
  const policy = `default-src 'none'; script-src ${script}; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'`;
  return {
    text: guidePage(source, { isAddressKnown: true }),
    withoutAddress: guidePage(source, { isAddressKnown: false }),
    toRepresentation: (text, cacheControl) => pageOf(text, cacheControl, policy),
  };
}

/** How a policy names the one script, or the one style, that a page has. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * The guide as one page that needs nothing else.
 * @param options.isAddressKnown whether {@link ADDRESS} stands where the service's address belongs
 */
export function guidePage(source: GuideSource, { isAddressKnown }: { isAddressKnown: boolean }): string {
  const chapters = source.contracts.map((contract) => ({
    ...describeContract(contract, isAddressKnown),
    releases: releasesOf(contract.name, source.changelog ?? ""),
    hasReference: source.references.has(contract.name),
    documentUrl: isAddressKnown ? `${ADDRESS}/docs/${contract.name}/openapi.json` : null,
  }));
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Documentation</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${raw(readPart(STYLE))}</style>
<script>${raw(readPart(SCRIPT))}</script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${navigation(chapters)}
<main id="content">
${introduction(chapters, isAddressKnown)}
${chapters.map(section)}
</main>
</body>
</html>
`.html;
}

function navigation(chapters: readonly Chapter[]): Html {
  return html`<nav aria-label="Contents">
<div class="brand"><a href="#content">Documentation</a><button type="button" class="scheme" hidden>Dark</button></div>
<ul>
<li><a href="#interfaces">Which interface is for you</a></li>
${chapters.map(
  ({ name, title, steps, errors, releases, hasReference }) => html`<li><a href="#${name}">${title}</a>
<ul>
${steps.length > 0 ? html`<li><a href="#${name}-first">First requests</a></li>` : ""}
${errors ? html`<li><a href="#${name}-errors">Errors</a></li>` : ""}
<li><a href="#${name}-operations">Operations</a></li>
<li><a href="#${name}-downloads">Downloads</a></li>
${releases.length > 0 ? html`<li><a href="#${name}-changes">Changes</a></li>` : ""}
${hasReference ? html`<li><a href="${name}.html">Reference</a></li>` : ""}
</ul></li>`,
)}
</ul>
</nav>`;
}

function introduction(chapters: readonly Chapter[], isAddressKnown: boolean): Html {
  return html`<header>
<h1>Documentation</h1>
<p class="lead">Everything that a program needs to work with this service: what each interface is for, a first request that
runs as it stands, what errors ask of you, and the contracts that clients are generated from.</p>
${isAddressKnown ? html`<p class="address">This service is at <code>${ADDRESS}</code></p>` : ""}
</header>
<section id="interfaces">
<h2>Which interface is for you</h2>
<div class="cards">
${chapters.map(
  ({ name, title, version, audience, key, baseUrl, hasReference }) => html`<article>
<h3><a href="#${name}">${title}</a> <span class="version">${version}</span></h3>
${markdown(audience)}
<dl>
<dt>Base URL</dt><dd>${addressCode(baseUrl)}</dd>
${key ? html`<dt>Needs</dt><dd>${inlineMarkdown(key)}</dd>` : ""}
</dl>
<p class="links"><a href="#${name}">Begin</a>${hasReference ? html` <a href="${name}.html">Reference</a>` : ""}</p>
</article>`,
)}
</div>
</section>`;
}

function section(chapter: Chapter): Html {
  const { name, title, version, baseUrl, steps, errors, releases, hasReference } = chapter;
  const reference = html` Every field, limit and answer is in the <a href="${name}.html">reference</a>.`;
  return html`<section id="${name}">
<h2>${title} <span class="version">${version}</span></h2>
<p>Base URL ${addressCode(baseUrl)}.${hasReference ? reference : ""}</p>
${steps.length > 0 ? firstRequests(chapter) : ""}
${
  errors
    ? html`<h3 id="${name}-errors">What errors ask of you</h3>
<div class="errors">${tableToHtml(errors)}</div>`
    : ""
}
${operations(chapter)}
${downloads(chapter)}
${releases.length > 0 ? changes(chapter) : ""}
</section>`;
}

function firstRequests(chapter: Chapter): Html {
  const { name, variables, steps } = chapter;
  const explained = variables.filter(({ note }) => note !== "");
  const width = Math.max(...explained.map((variable) => `${variable.name}=${variable.value}`.length));
  const lines = variables.map(({ name: variable, value, note }) => {
    const setting = `${variable}=${value}`;
    return `export ${note ? `${setting.padEnd(width)}  # ${note}` : setting}`;
  });
  return html`<h3 id="${name}-first">First requests</h3>
<p>Set these once, in a terminal; everything below runs as it stands. TypeScript needs Node 22.18 or later and Python 3.8 or
later, and neither needs a package.</p>
${variables.length > 0 ? codeBlock(lines.join("\n")) : ""}
${steps.map((step, index) => firstRequest(chapter, step, index + 1))}`;
}

function firstRequest(chapter: Chapter, step: DescribedOperation, number: number): Html {
  return html`<h4><span class="step">${number}</span> ${step.summary} ${operationLink(chapter, step)}</h4>
${codeTabs(`${chapter.name}-${step.operationId}`, step.samples)}
${
  step.answer
    ? html`<details class="answer"><summary>The answer to it, for example</summary>${codeBlock(step.answer)}</details>`
    : ""
}`;
}

/** An address, which a narrow screen breaks before a slash and nowhere else. */
function addressCode(url: string): Html {
  const parts = url.split(/(?<![:/])(?=\/[^/])/);
  return html`<code>${parts.map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}</code>`;
}

/** The reference opens at an operation by its tag and its operationId; what makes the script of its pages checks that. */
function operationLink({ name, hasReference }: Chapter, operation: DescribedOperation): Html {
  if (!hasReference) return operationName(operation);
  return html`<a href="${name}.html${operation.placeInReference}">${operationName(operation)}</a>`;
}

function operationName({ method, path }: DescribedOperation): Html {
  return html`<code class="operation"><span class="${method.toLowerCase()}">${method}</span> ${path}</code>`;
}

function operations(chapter: Chapter): Html {
  return html`<h3 id="${chapter.name}-operations">Operations</h3>
<ul class="operations">
${chapter.operations.map((operation) => html`<li>${operationLink(chapter, operation)}<span>${operation.summary}</span></li>\n`)}
</ul>`;
}

function downloads({ name, version, documentUrl }: Chapter): Html {
  const file = (form: string, label: string) =>
    html`<li><a href="${name}/${form}" download="${name}-${version}-${form}">${label}</a> <a class="open" href="${name}/${form}">open</a></li>`;
  return html`<h3 id="${name}-downloads">Downloads</h3>
<p>The contract, from which generators make clients${
    documentUrl === null
      ? ""
      : html`. It names this service as its server; most tools take its address, ${addressCode(documentUrl)}`
  }.</p>
<ul class="downloads">
${file("openapi.json", "OpenAPI 3.1, JSON")}
${file("openapi.yaml", "OpenAPI 3.1, YAML")}
${file("openapi-3.0.json", "OpenAPI 3.0, JSON")}
${file("openapi-3.0.yaml", "OpenAPI 3.0, YAML")}
</ul>
<p class="note">Take 3.1 where your tool reads it; 3.0 says a little less.</p>`;
}

function changes({ name, releases }: Chapter): Html {
  return html`<h3 id="${name}-changes">What changed</h3>
${releases.map(
  ({ version, date, text }, index) => html`<details class="release"${raw(index === 0 ? " open" : "")}>
<summary><strong>${version}</strong> ${date ? html`<time datetime="${date}">${date}</time>` : ""}</summary>
${markdown(text)}
</details>
`,
)}`;
}

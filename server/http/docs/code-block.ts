import { type Html, html, raw } from "./html.ts";

/** A comment, a text, or a word of the language, whichever begins first. */
const TOKEN =
  /((?:^|(?<=\s))(?:#|\/\/)[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(import|from|const|let|for|of|in|if|else|await|async|return|throw|new|as|with|try|except|raise|print|export|curl|interface|break|pass|def)\b/gm;

const CLASSES = ["comment", "text", "word"] as const;

/** A block of code with a button that copies it. */
export function codeBlock(source: string): Html {
  return html`<div class="code"><button type="button" class="copy" hidden>Copy</button><pre tabindex="0"><code>${highlight(source)}</code></pre></div>`;
}

/** The same request in several languages, of which one is shown. @param id unique on the page */
export function codeTabs(id: string, samples: readonly { label: string; source: string }[]): Html {
  const tabs = samples.map(
    ({ label }, index) =>
      html`<input type="radio" name="${id}" id="${id}-${index}" data-language="${label}"${raw(index === 0 ? " checked" : "")}>
<label for="${id}-${index}">${label}</label>`,
  );
  return html`<div class="tabs" role="group" aria-label="In one of these languages">${tabs}${samples.map(({ source }) => codeBlock(source))}</div>`;
}

function highlight(source: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of source.matchAll(TOKEN)) {
    const kind = CLASSES.find((_, index) => match[index + 1] !== undefined) ?? "word";
    parts.push(html`${source.slice(end, match.index)}<span class="${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${source.slice(end)}`;
}

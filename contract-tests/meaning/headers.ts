/**
 * The headers that an answer may have beside those that its document describes, with the values that they may have: those of
 * HTTP itself, and those with which an answer defends itself against browsers.
 */
const HEADERS_OF_EVERY_ANSWER: Readonly<Record<string, RegExp>> = {
  connection: /^(keep-alive|close)$/,
  "content-length": /^\d+$/,
  "content-type": /./,
  date: / GMT$/,
  "keep-alive": /^timeout=\d+/,
  "transfer-encoding": /^chunked$/,
  // A stream is to be kept by nobody, and passed on as it comes.
  "cache-control": /^no-(cache|store)$/,
  "x-accel-buffering": /^no$/,
  "content-security-policy": /^default-src '(self|none)'/,
  "cross-origin-opener-policy": /^same-origin$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "origin-agent-cluster": /^\?1$/,
  "referrer-policy": /^no-referrer$/,
  "strict-transport-security": /^max-age=\d+/,
  "x-content-type-options": /^nosniff$/,
  "x-dns-prefetch-control": /^off$/,
  "x-download-options": /^noopen$/,
  "x-frame-options": /^(SAMEORIGIN|DENY)$/,
  "x-permitted-cross-domain-policies": /^none$/,
  "x-xss-protection": /^0$/,
};

/**
 * The headers of an answer that its document does not describe.
 * @param documented their names, in any case
 * @param headers those of the answer, by their names in lower case
 */
export function undocumentedHeaders(
  documented: readonly string[],
  headers: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = new Set(documented.map((name) => name.toLowerCase()));
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || known.has(name)) return [];
    const allowed = HEADERS_OF_EVERY_ANSWER[name];
    if (allowed?.test(value)) return [];
    const whatIsWrong = allowed === undefined ? "is not documented" : `may not be ${JSON.stringify(value)}`;
    return [
      `header ${name} ${whatIsWrong}: describe it under the answer's headers in spec/, or take it out of the service`,
    ];
  });
}

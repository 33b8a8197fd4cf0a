const KEY = /^[!-~]+$/;

/**
 * Checks where requests go and the key that they carry, before any is sent.
 * @returns the base URL in the one way in which it is written, without a slash at its end.
 * @throws {RangeError} which shows neither.
 */
export function checkAddress({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): string {
  if (!KEY.test(apiKey))
    throw new RangeError("apiKey is empty, or has a space, a line end or another odd character.");
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isFine =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  if (!isFine)
    throw new RangeError("baseUrl must be an http or https URL with nothing but a host and a path.");
  return url.href.replace(/\/+$/, "");
}

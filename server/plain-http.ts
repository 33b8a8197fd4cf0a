const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host is this machine itself, which no other reaches by it; as in a URL, or as an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host) || host === "::1";
}

/** Whether what is sent to an address can be read on the way: http, and not to this machine itself. */
export function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !LOOPBACK.test(hostname);
}

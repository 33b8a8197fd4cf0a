/** What people call a browser and its system; what is not known is shown as it calls itself. */
export function browserName(userAgent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(userAgent)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  if (browser === undefined) return userAgent === "" ? "Not known" : userAgent;
  const name = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system === undefined ? name : `${name} on ${system === "Mac OS X" ? "macOS" : system}`;
}

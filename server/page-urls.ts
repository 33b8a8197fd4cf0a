import type { Config } from "./config.ts";

/** Where a service that listens on all addresses, or to its own machine alone, is reached by a name: only names have passkeys. */
const LOCAL = new Set(["0.0.0.0", "::", "127.0.0.1", "::1"]);

/** Where people open the account center's page, with a slash at its end. */
export function accountCenterUrl({
  publicUrl,
  host,
  port,
}: Pick<Config, "publicUrl" | "host" | "port">): string {
  return `${publicUrl ?? localUrl(host, port)}/account/`;
}

/** Where operators open the console's. */
export function operatorConsoleUrl({
  operatorUrl,
  operatorHost,
  operatorPort,
}: Pick<Config, "operatorUrl" | "operatorHost" | "operatorPort">): string {
  return `${operatorUrl ?? localUrl(operatorHost, operatorPort)}/operator/`;
}

function localUrl(host: string, port: number): string {
  const name = LOCAL.has(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

import type { paths } from "../../../generated/account/types.ts";

type ExportPath = Extract<keyof paths, `/accounts/{accountId}/exports/${string}`>;

/** Where a file is that a link leads to: the browser asks for it with the session's cookie, and saves it. */
export function exportHref<Path extends ExportPath>(
  path: Path,
  accountId: string,
  query: paths[Path]["get"]["parameters"]["query"],
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const own = path.replace("{accountId}", encodeURIComponent(accountId));
  return `/account/v1${own}?${new URLSearchParams(given)}`;
}

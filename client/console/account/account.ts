import { createContext, useContext } from "react";
import type { Membership } from "../session/session.ts";

/** The account that the pages show. */
export const AccountContext = createContext<Membership | null>(null);

/** The account that the page shows, and the role of who sees it. */
export function useAccount(): Membership {
  const membership = useContext(AccountContext);
  if (membership === null) throw new Error("This is no page of an account.");
  return membership;
}

/** The path of a page of an account, for links; `rest` such as `/keys`. */
export function accountPath({ accountId }: Pick<Membership, "accountId">, rest = ""): string {
  return `/${accountId}${rest}`;
}

import { type QueryClient, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { components } from "../../../generated/account/types.ts";
import { askOnce, client } from "../api/client.ts";
import { Fault } from "../api/fault.ts";

/** Who is signed in. */
export type Session = components["schemas"]["Session"];
/** An account that they may work with. */
export type Membership = Session["memberships"][number];

/**
 * Who is signed in; null when nobody is. It is read once: that a session has ended is noticed by what is asked next, which then
 * waits for another sign-in without taking the page away.
 */
export const getSession = queryOptions({
  queryKey: ["getSession"],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await askOnce(() => client.GET("/session"));
    } catch (reason) {
      if (reason instanceof Fault && reason.code === "unauthorized") return null;
      throw reason;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Takes what the service says of the session now. Of another person nothing that is on the page may stay. */
export function becomeSession(queries: QueryClient, session: Session | null): void {
  const before = queries.getQueryData(getSession.queryKey);
  if (before && session && before.userId !== session.userId) return void location.assign("/account/");
  queries.setQueryData(getSession.queryKey, session);
}

/** Who is signed in, on pages that nobody else sees. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(getSession);
  if (data === null) throw new Error("Nobody is signed in.");
  return data;
}

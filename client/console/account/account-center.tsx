import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode } from "react";
import { Redirect, Route, Switch } from "wouter";
import { getSettings } from "../api/queries.ts";
import { useSession } from "../session/session.ts";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { BROWSER_ZONE, TimeZoneContext } from "../ui/time.tsx";
import { AccountContext, accountPath } from "./account.ts";
import { ChooseAccount } from "./choose-account.tsx";
import { Frame } from "./frame/frame.tsx";
import { ACCOUNT_PAGES, type AccountPage } from "./pages.ts";

const SecurityPage = lazy(() => import("./security/security-page.tsx"));

/** All pages, for who is signed in. */
export function AccountCenter() {
  const { memberships } = useSession();
  const [only] = memberships;
  return (
    <Switch>
      <Route path="/">
        {only && memberships.length === 1 ? <Redirect to={accountPath(only)} replace /> : <ChooseAccount />}
      </Route>
      <Route path="/security">
        <Frame>
          <SecurityPage />
        </Frame>
      </Route>
      <Route path="/:accountId/*?">{({ accountId }) => <PagesOf accountId={accountId} />}</Route>
      <Route>
        <Frame>
          <NoSuchPage />
        </Frame>
      </Route>
    </Switch>
  );
}

function PagesOf({ accountId }: { accountId: string }) {
  const membership = useSession().memberships.find((one) => one.accountId === accountId) ?? null;
  if (membership === null) {
    return (
      <Frame>
        <NoSuchPage />
      </Frame>
    );
  }
  return (
    <AccountContext value={membership}>
      <InZoneOf accountId={accountId}>
        <Frame>
          <Switch>
            {ACCOUNT_PAGES.map((page) => (
              <Route key={page.path} path={`/:accountId${page.path}`}>
                <PageFor page={page} role={membership.role} />
              </Route>
            ))}
            <Route>
              <NoSuchPage />
            </Route>
          </Switch>
        </Frame>
      </InZoneOf>
    </AccountContext>
  );
}

/** Shows times in the zone that the account has set; in the browser's where that cannot be had. */
function InZoneOf({ accountId, children }: { accountId: string; children: ReactNode }) {
  const { data, isError } = useQuery(getSettings(accountId));
  return (
    <TimeZoneContext value={data?.timeZone ?? (isError ? BROWSER_ZONE : null)}>{children}</TimeZoneContext>
  );
}

function PageFor({ page: { roles, title, View }, role }: { page: AccountPage; role: string }) {
  if (roles === null || roles.includes(role)) return <View />;
  return (
    <Page title={title ?? "Not for your role"}>
      <Empty title="Your role in this account does not show this.">
        <p>Ask an owner of the account when you need it.</p>
      </Empty>
    </Page>
  );
}

function NoSuchPage() {
  return (
    <Page title="There is no such page">
      <Empty title="Nothing is here, or it belongs to an account that is not yours.">
        <p>
          <a href="/account/">Go to the beginning</a>
        </p>
      </Empty>
    </Page>
  );
}

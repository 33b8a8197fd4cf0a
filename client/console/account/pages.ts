import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** A page of an account. */
export interface AccountPage {
  /** Below the account's path, as wouter writes it. */
  readonly path: string;
  /** What the navigation calls it; null: other pages lead to it. */
  readonly title: string | null;
  /** The roles that the document lets read it; null: all. */
  readonly roles: readonly string[] | null;
  readonly View: LazyExoticComponent<ComponentType>;
  /** Loads its program, which is kept. */
  readonly load: () => Promise<unknown>;
}

/** A page's program, which is loaded when it is first shown, or sooner where that is known before. */
function loaded(load: () => Promise<{ default: ComponentType }>): Pick<AccountPage, "View" | "load"> {
  return { View: lazy(load), load };
}

const DEVELOPERS = ["owner", "developer"];
const BILLING = ["owner", "billing"];
const OWNERS = ["owner"];

const OVERVIEW = loaded(() => import("./overview/overview-page.tsx"));
const KEYS = loaded(() => import("./keys/keys-page.tsx"));
const KEY = loaded(() => import("./keys/key-page.tsx"));
const ORDERS = loaded(() => import("./orders/orders-page.tsx"));
const ORDER = loaded(() => import("./orders/order-page.tsx"));
const USAGE = loaded(() => import("./usage/usage-page.tsx"));
const STATISTICS = loaded(() => import("./statistics/statistics-page.tsx"));
const LEDGER = loaded(() => import("./ledger/ledger-page.tsx"));
const STATEMENT = loaded(() => import("./statements/statement-page.tsx"));
const MEMBERS = loaded(() => import("./members/members-page.tsx"));
const ACTIVITY = loaded(() => import("./activity/activity-page.tsx"));
const SETTINGS = loaded(() => import("./settings/settings-page.tsx"));
const SECURITY = loaded(() => import("./security/security-page.tsx"));

/** In the order of the navigation. Each page is a file of its own. */
export const ACCOUNT_PAGES: readonly AccountPage[] = [
  { path: "", title: "Overview", roles: null, ...OVERVIEW },
  { path: "/keys", title: "Keys", roles: DEVELOPERS, ...KEYS },
  { path: "/keys/:keyId", title: null, roles: DEVELOPERS, ...KEY },
  { path: "/orders", title: "Orders", roles: DEVELOPERS, ...ORDERS },
  { path: "/orders/:orderId", title: null, roles: DEVELOPERS, ...ORDER },
  { path: "/usage", title: "Usage", roles: null, ...USAGE },
  { path: "/statistics", title: "Statistics", roles: null, ...STATISTICS },
  { path: "/ledger", title: "Ledger", roles: BILLING, ...LEDGER },
  { path: "/statements", title: "Statements", roles: BILLING, ...STATEMENT },
  { path: "/statements/:month", title: null, roles: BILLING, ...STATEMENT },
  { path: "/members", title: "Members", roles: null, ...MEMBERS },
  { path: "/activity", title: "Activity", roles: OWNERS, ...ACTIVITY },
  { path: "/settings", title: "Settings", roles: null, ...SETTINGS },
  { path: "/security", title: null, roles: null, ...SECURITY },
];

/**
 * Loads the program of the page that a URL's path names, while it is being asked who wants to see it. When that fails, the page
 * itself says so.
 */
export function loadPageAt(path: string): void {
  const page = ACCOUNT_PAGES.find(({ path: own }) =>
    new RegExp(`^/account/[^/]+${own.replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
  );
  page?.load().catch(() => {});
}

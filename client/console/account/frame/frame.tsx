import { useIsFetching, useIsMutating } from "@tanstack/react-query";
import { type ReactNode, Suspense, use, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useIsMoving } from "../../ui/deferred-router.tsx";
import { Loading } from "../../ui/states.tsx";
import { AccountContext, accountPath } from "../account.ts";
import { ACCOUNT_PAGES } from "../pages.ts";
import styles from "./frame.module.css";
import { PageBoundary } from "./page-boundary.tsx";
import { PersonMenu } from "./person-menu.tsx";

/** What is around every page: the account, the navigation, the person. */
export function Frame({ children }: { children: ReactNode }) {
  const membership = use(AccountContext);
  const [path] = useLocation();
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        To the content
      </a>
      <header className={styles.side}>
        <Link href="/" className={styles.brand}>
          Account center
          <strong>{membership?.accountName ?? "All accounts"}</strong>
        </Link>
        <PersonMenu />
        {membership !== null && <Navigation path={path} />}
      </header>
      <Content path={path}>{children}</Content>
    </div>
  );
}

/** The page, and whether it is at work. */
function Content({ path, children }: { path: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const isMoving = useIsMoving();
  const isBusy = useIsFetching() + useIsMutating() > 0 || isMoving;
  useEffect(() => {
    // Who goes by keyboard or listens goes on at the beginning of the new page.
    if (shown.current !== path) main.current?.focus();
    shown.current = path;
  }, [path]);
  return (
    <main id="content" ref={main} tabIndex={-1} aria-busy={isBusy} className={styles.main}>
      <PageBoundary key={path}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </PageBoundary>
    </main>
  );
}

function Navigation({ path }: { path: string }) {
  const membership = use(AccountContext);
  if (membership === null) return null;
  const { role } = membership;
  const pages = ACCOUNT_PAGES.filter(({ title, roles }) => title !== null && (roles?.includes(role) ?? true));
  return (
    <nav className={styles.navigation} aria-label="Pages">
      {pages.map(({ path: own, title }) => {
        const href = accountPath(membership, own);
        const isHere = own === "" ? path === href : path === href || path.startsWith(`${href}/`);
        return (
          <Link key={own} href={href} className={styles.link} aria-current={isHere ? "page" : undefined}>
            {title}
          </Link>
        );
      })}
    </nav>
  );
}

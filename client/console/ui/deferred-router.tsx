import { createContext, type ReactNode, use, useDeferredValue, useMemo } from "react";
import { Router } from "wouter";
import { navigate, usePathname, useSearch } from "wouter/use-browser-location";

const PlaceContext = createContext({ path: "", search: "" });
const MovingContext = createContext(false);

/**
 * Routes by where the browser is. A page is made in slices, between which the browser answers whoever clicks or types, and the one
 * before stays until then.
 */
export function DeferredRouter({ base, children }: { base: string; children: ReactNode }) {
  const [nextPath, nextSearch] = [usePathname(), useSearch()];
  const path = useDeferredValue(nextPath);
  const search = useDeferredValue(nextSearch);
  const place = useMemo(() => ({ path, search }), [path, search]);
  return (
    <PlaceContext value={place}>
      <MovingContext value={path !== nextPath || search !== nextSearch}>
        <Router base={base} hook={usePlace} searchHook={usePlaceSearch}>
          {children}
        </Router>
      </MovingContext>
    </PlaceContext>
  );
}

/** Whether another page is being made than the one that is shown. */
export function useIsMoving(): boolean {
  return use(MovingContext);
}

function usePlace(): [path: string, go: typeof navigate] {
  return [use(PlaceContext).path, navigate];
}

function usePlaceSearch(): string {
  return use(PlaceContext).search;
}

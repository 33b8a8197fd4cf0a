import { Link, useSearchParams } from "wouter";
import styles from "./paging.module.css";

/**
 * Leads through the pages of a list, each of which has its URL. There is no total, and no way back but the browser's and the one
 * to the beginning: a cursor leads forward.
 */
export function Paging({ hasMore, nextCursor }: { hasMore: boolean; nextCursor: string | null }) {
  const [query] = useSearchParams();
  const to = (cursor: string | null) => {
    const next = new URLSearchParams(query);
    if (cursor === null) next.delete("cursor");
    else next.set("cursor", cursor);
    return `?${next}`;
  };
  const isFirst = !query.has("cursor");
  if (isFirst && !hasMore) return null;
  return (
    <nav className={styles.paging} aria-label="Pages of this list">
      {!isFirst && <Link href={to(null)}>To the newest</Link>}
      {hasMore ? (
        <Link href={to(nextCursor)}>Older</Link>
      ) : (
        <span className={styles.end}>These are the oldest.</span>
      )}
    </nav>
  );
}

import type { ReactNode } from "react";
import styles from "./door.module.css";

/** What stands before the pages: who is not signed in sees this and nothing else. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.door}>
      <title>{`${title} · Account center`}</title>
      <div className={styles.card}>
        <p className={styles.brand}>Account center</p>
        <h1>{title}</h1>
        {children}
        <p className={styles.more}>
          <a href="/docs/">Documentation for programs</a>
        </p>
      </div>
    </main>
  );
}

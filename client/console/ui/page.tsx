import type { ReactNode } from "react";
import styles from "./page.module.css";

interface PageProps {
  readonly title: string;
  /** What can be done on the page as a whole. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page, with its title, which is also the browser's. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <div className={styles.page}>
      <title>{`${title} · Account center`}</title>
      <header className={styles.head}>
        <h1>{title}</h1>
        {actions}
      </header>
      {children}
    </div>
  );
}

/** A part of a page. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Facts by their names. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A short word about the state of something. */
export function Badge({
  tone,
  children,
}: {
  tone: "good" | "warn" | "danger" | "plain";
  children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}

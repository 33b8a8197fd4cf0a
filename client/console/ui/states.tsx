import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, use } from "react";
import type { Fault } from "../api/fault.ts";
import { faultOf } from "../api/use-change.ts";
import { Button } from "./button.tsx";
import styles from "./states.module.css";
import { TimeZoneContext } from "./time.tsx";

/** Something that the person should know. */
export function Note({
  tone = "plain",
  children,
}: {
  tone?: "plain" | "good" | "warn" | "danger";
  children: ReactNode;
}) {
  return (
    <div className={`${styles.note} ${styles[tone]}`} role={tone === "danger" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** What went wrong, and what to do. */
export function FaultNote({ fault }: { fault: Fault }) {
  const isForSupport = fault.code === "server_error" && fault.requestId !== null;
  return (
    <Note tone="danger">
      <p>{fault.words}</p>
      {isForSupport && (
        <p className={styles.small}>
          Number <code>{fault.requestId}</code>
        </p>
      )}
    </Note>
  );
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

/** Stands where something will be that is still on its way. */
export function Loading() {
  return (
    <div className={styles.loading} role="status">
      <span>Loading …</span>
    </div>
  );
}

/** Shows what a query has found, once the page's zone is known; else that it is on its way, or why it failed, with another try. */
export function Found<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  const isZoneKnown = use(TimeZoneContext) !== null;
  if (query.data !== undefined && isZoneKnown) {
    return (
      <>
        {query.isError && <FaultNote fault={faultOf(query.error)} />}
        {children(query.data)}
      </>
    );
  }
  if (!query.isError) return <Loading />;
  return (
    <div className={styles.failed}>
      <FaultNote fault={faultOf(query.error)} />
      <Button onClick={() => void query.refetch()}>Try again</Button>
    </div>
  );
}

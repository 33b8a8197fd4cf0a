import { type ComponentProps, useId } from "react";
import styles from "./button.module.css";

type Look = "main" | "plain" | "quiet" | "danger";

interface ButtonProps extends Omit<ComponentProps<"button">, "disabled" | "className"> {
  readonly look?: Look;
  /** Why it cannot be used now, which stands beside it; it can be used without. */
  readonly whyNot?: string | null | undefined;
  /** What it has begun is under way: it does nothing more until that is over. */
  readonly isPending?: boolean;
}

/** A button. One that cannot be used can still be reached, and says why. */
export function Button({
  look = "plain",
  whyNot = null,
  isPending = false,
  type = "button",
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isOff = whyNot !== null || isPending;
  return (
    <span className={styles.place}>
      <button
        {...rest}
        type={type}
        className={`${styles.button} ${styles[look]}`}
        aria-disabled={isOff || undefined}
        aria-busy={isPending || undefined}
        aria-describedby={whyNot === null ? undefined : reasonId}
        onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
      >
        {isPending ? <span className={styles.pending}>{children}</span> : children}
      </button>
      {whyNot !== null && (
        <span id={reasonId} className={styles.reason}>
          {whyNot}
        </span>
      )}
    </span>
  );
}

/** Buttons beside each other. */
export function Buttons({ children }: { children: React.ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Leads to a file, which the browser saves. */
export function FileLink({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} download className={`${styles.button} ${styles.quiet}`}>
      {children}
    </a>
  );
}

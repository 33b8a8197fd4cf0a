import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./field.module.css";

interface Labelled {
  readonly label: string;
  /** What helps to fill it in. */
  readonly hint?: ReactNode;
  /** What is wrong with it, in words. */
  readonly error?: string | undefined;
}

type FieldProps = Labelled & Omit<ComponentProps<"input">, "id" | "className">;

/** An input with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <Labels id={id} label={label} hint={hint} error={error}>
      <input {...input} {...describedBy(id, hint, error)} className={styles.input} />
    </Labels>
  );
}

/** A choice of one among some. */
export function Choice({
  label,
  hint,
  error,
  children,
  ...select
}: Labelled & Omit<ComponentProps<"select">, "id" | "className">) {
  const id = useId();
  return (
    <Labels id={id} label={label} hint={hint} error={error}>
      <select {...select} {...describedBy(id, hint, error)} className={styles.input}>
        {children}
      </select>
    </Labels>
  );
}

function Labels({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {hint !== undefined && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {children}
      {error !== undefined && (
        <div id={`${id}-error`} className={styles.error}>
          {error}
        </div>
      )}
    </div>
  );
}

function describedBy(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return {
    id,
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
  };
}

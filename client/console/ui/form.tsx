import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { Fault } from "../api/fault.ts";
import styles from "./form.module.css";
import { FaultNote } from "./states.tsx";

interface FormProps {
  /** Is given what the form holds, by the names of its fields. */
  readonly onSend: (values: Readonly<Record<string, string>>) => void;
  /** Why the last sending failed. */
  readonly fault?: Fault | null;
  /** Whether its fields and its button stand beside each other. */
  readonly isRow?: boolean;
  readonly children: ReactNode;
}

/**
 * A form. What is wrong with it as a whole is told above; the first field that is wrong gets the focus. Fields take their own
 * words from `fault.fields`.
 */
export function Form({ onSend, fault = null, isRow = false, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fault]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = event.currentTarget.querySelector('button[type="submit"]');
    if (button?.getAttribute("aria-disabled") === "true") return;
    const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    onSend(Object.fromEntries(values));
  };
  return (
    <form ref={form} className={isRow ? styles.row : styles.form} onSubmit={submit} noValidate>
      {fault !== null && <FaultNote fault={fault} />}
      {children}
    </form>
  );
}

import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { useInterruption } from "../api/interruptions.ts";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** Whether it only closes by what is in it: a secret that is shown once is not lost by a key that was hit. */
  readonly staysOpen?: boolean;
  /** Whether it asks for what a request lacks, which may have come from another dialog; that one stays as it is meanwhile. */
  readonly isInterruption?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page; the focus goes into it and back. */
export function Dialog({
  isOpen,
  title,
  onClose,
  staysOpen = false,
  isInterruption = false,
  children,
}: DialogProps) {
  const isUnderAnother = useInterruption() !== null && !isInterruption;
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal
      onOpenChange={(_open, { reason }) => {
        if (!isUnderAnother && (!staysOpen || reason === "close-press")) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.shade} />
        <Base.Popup className={styles.dialog}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

import type { ReactNode } from "react";
import { Button, Buttons } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Note } from "../../ui/states.tsx";
import styles from "./shown-secret.module.css";

/** A key's secret, which is shown this once. */
export function ShownSecret({
  secret,
  onStored,
  children,
}: {
  secret: string;
  onStored: () => void;
  /** What can be done with it at once. */
  children?: ReactNode;
}) {
  return (
    <>
      <Note tone="warn">
        <p>This is the only time that it is shown. Store it where your program finds it, and nobody else.</p>
      </Note>
      <code className={styles.secret}>{secret}</code>
      <Buttons>
        <CopyButton text={secret} label="Copy the key" />
        <Button look="main" onClick={onStored}>
          I have stored it
        </Button>
      </Buttons>
      {children}
    </>
  );
}

import { Button, Buttons } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Note } from "../../ui/states.tsx";
import styles from "./recovery-codes.module.css";

/** The recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  return (
    <>
      <Note tone="warn">
        <p>
          This is the only time that they are shown. Keep them where your app and your passkeys are not; each
          is good once.
        </p>
      </Note>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Buttons>
        <CopyButton text={codes.join("\n")} label="Copy all" />
        <Button look="main" onClick={onStored}>
          I have stored them
        </Button>
      </Buttons>
    </>
  );
}

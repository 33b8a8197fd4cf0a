import { use, useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../session/session.ts";
import { SignOutButton } from "../../session/sign-out-button.tsx";
import { chooseTheme, chosenTheme, isTheme, type Theme } from "../../session/theme.ts";
import { Choice } from "../../ui/field.tsx";
import { AccountContext, accountPath } from "../account.ts";
import styles from "./person-menu.module.css";

const THEMES: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

/** The person, and what is theirs: security, another account, light or dark, the way out. */
export function PersonMenu() {
  const { name, email, memberships } = useSession();
  const membership = use(AccountContext);
  return (
    <details className={styles.person}>
      <summary className={styles.name}>{name || email}</summary>
      <div className={styles.menu}>
        {name !== "" && <p className={styles.email}>{email}</p>}
        {membership !== null && <Link href={accountPath(membership, "/security")}>Security</Link>}
        <a href="/docs/">Documentation</a>
        {memberships.length > 1 && <Link href="/">Another account</Link>}
        <ThemeChoice />
        <SignOutButton />
      </div>
    </details>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <Choice
      label="Light or dark"
      value={theme}
      onChange={({ target: { value } }) => {
        if (!isTheme(value)) return;
        chooseTheme(value);
        setTheme(value);
      }}
    >
      {Object.entries(THEMES).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Choice>
  );
}

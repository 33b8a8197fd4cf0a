import { Link } from "wouter";
import { Door } from "../session/door.tsx";
import { useSession } from "../session/session.ts";
import { SignOutButton } from "../session/sign-out-button.tsx";
import { Empty } from "../ui/states.tsx";
import { roleWords } from "../ui/words.ts";
import { accountPath } from "./account.ts";
import styles from "./choose-account.module.css";

/** Has the person choose, where they may work with several accounts, or tells that there is none. */
export function ChooseAccount() {
  const { memberships, email } = useSession();
  return (
    <Door title={memberships.length === 0 ? "No account" : "Choose an account"}>
      {memberships.length === 0 && (
        <Empty title={`${email} is not a member of an account that is open.`}>
          <p>Ask an owner of the account, or the shop, for a link.</p>
        </Empty>
      )}
      <ul className={styles.accounts}>
        {memberships.map((membership) => (
          <li key={membership.accountId}>
            <Link href={accountPath(membership)} className={styles.account}>
              <strong>{membership.accountName}</strong>
              <span>You are {roleWords(membership.role)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <SignOutButton />
    </Door>
  );
}
